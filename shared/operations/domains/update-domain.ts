import type { Domain } from '../../core/domains/domain.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ChangedDomain, UpdateDomain } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { writeMetadata } from '../../store/domains/domain-metadata.ts';
import { findDomain, lockDomain, saveDomain } from '../../store/domains/domains.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from '../context.ts';
import { giveUpWww } from './claim-hostname.ts';
import { findCustomerAddresses } from './customer-target.ts';
import { checkApexRedirect, readDomainFields, readOrigin, unknownFieldWarnings } from './domain-fields.ts';
import { presentDomain } from './present-domain.ts';
import { recordTransition } from './record-transition.ts';

/** `docs/api.md#domains`: PATCH /v1/domains/{id}. */
export async function updateDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string }; body: UpdateDomain; unknownFields?: readonly string[] },
): Promise<Answer<ChangedDomain>> {
  const { params, body } = input;
  const fields = readDomainFields(context, body);
  const known = await findDomain(context.store, caller, params.id);
  if (known === null) throw new ServiceError('not_found');
  checkApexRedirect(known.is_apex, body.apex_redirect);
  const { warnings: ofOrigin, ...origin } = await readOrigin(context, caller, body.origin);
  const warnings = [...unknownFieldWarnings(input.unknownFields), ...ofOrigin];
  const change: Partial<Domain> = { ...fields, ...origin };
  if (body.apex_redirect !== undefined) change.apex_redirect = body.apex_redirect;
  return transact(context, async (tx) => {
    const domain = await lockDomain(tx.store, caller, params.id);
    if (domain === null) throw new ServiceError('not_found');
    const changed = { ...domain, ...change };
    if (Object.keys(change).length > 0) {
      changed.updated_at = tx.clock.now();
      await saveDomain(tx.store, changed);
      if (change.metadata !== undefined) await writeMetadata(tx.store, changed);
      tx.notices.publish({ kind: 'route', hostname: domain.hostname });
      if (changed.apex_redirect !== domain.apex_redirect) {
        if (changed.apex_redirect === 'none') await giveUpWww(tx, changed);
        await scheduleWwwCheck(tx, changed);
      }
    }
    const addresses = await findCustomerAddresses(tx, await getApp(tx.store, caller.app_id));
    const shown = presentDomain(tx, addresses, changed);
    return { status: 200, body: warnings.length === 0 ? shown : { ...shown, warnings } };
  });
}

/**
 * Makes the renewal check due now, which adds `www` to the certificate if the record of `www` is right. A worker that runs this check
 * already loses its lease, because it has read the domain before the change. A domain that is not live gets `www` with its first
 * certificate.
 */
async function scheduleWwwCheck(tx: TxContext, domain: Domain): Promise<void> {
  const { id, app_id, status } = domain;
  if (status !== 'active' || runsOnTimer(domain, tx.settings)) return;
  await scheduleJob(tx.store, { kind: 'renew', subject_id: id, app_id, due_at: tx.clock.now() });
  tx.notices.publish({ kind: 'work' });
}

/**
 * `docs/api.md#domains`: DELETE /v1/domains/{id}. The hostname can be added again at once. Events of the deleted domain are still
 * delivered.
 */
export async function deleteDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<null>> {
  return transact(context, async (tx) => {
    const domain = await lockDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    await recordTransition(tx, domain, { name: 'delete' });
    return { status: 204, body: null };
  });
}
