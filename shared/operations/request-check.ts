import type { Domain } from '../core/domains/domain.ts';
import { runsOnTimer } from '../core/domains/schedule.ts';
import { isAwaitingDns, type Status } from '../core/domains/status.ts';
import { type FieldProblem, ServiceError, validationFailed } from '../core/errors.ts';
import {
  findDomainByConnectToken,
  lockDomain,
  lockDomainById,
  saveDomain,
} from '../store/domains/domains.ts';
import { hastenJob, scheduleJob } from '../store/jobs/jobs.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from './context.ts';
import { effect } from './domains/effect.ts';
import { recordTransition } from './domains/record-transition.ts';
import { spend } from './spend.ts';

const NOTHING_TO_CHECK: readonly Status[] = ['issuing', 'held', 'expired', 'deleted'];

/** If a check would do nothing, returns the field of the domain that prevents the check, and a message. Otherwise returns null. */
export function nothingToCheck({ status }: Pick<Domain, 'status'>): FieldProblem | null {
  if (!NOTHING_TO_CHECK.includes(status)) return null;
  return { path: 'status', message: `there is nothing to check while the domain is ${status}` };
}

/**
 * Makes a DNS check of a domain due now. A domain can be checked once in 15 seconds, whoever requests the check. In `cert_failed`, retries
 * the issuance instead. A domain on the test timer takes its next step, or stays in the status that its hostname forces.
 * @param domain its row must be locked by the caller.
 * @throws ServiceError `validation_failed` if there is nothing to check, or `rate_limited`.
 */
export async function requestCheck(tx: TxContext, domain: Domain): Promise<void> {
  const problem = nothingToCheck(domain);
  if (problem !== null) throw validationFailed(problem);
  await spend(tx, 'verify', domain.id);
  if (domain.status === 'cert_failed') {
    await recordTransition(tx, domain, { name: 'retry_issuance' });
    return;
  }
  const dueAt = tx.clock.now();
  const subject = { subject_id: domain.id, app_id: domain.app_id, due_at: dueAt };
  if (runsOnTimer(domain, tx.settings)) await scheduleJob(tx.store, { kind: 'advance', ...subject });
  // Does not restart a running check. If lookups take longer than 15 seconds, repeated restarts would keep the check from ever finishing.
  else if (await hastenJob(tx.store, { kind: 'check_dns', ...subject })) {
    await saveDomain(tx.store, { ...domain, next_check_at: dueAt });
  }
  if (
    isAwaitingDns(domain.status) &&
    tx.settings.challengeZone !== null &&
    !runsOnTimer(domain, tx.settings)
  ) {
    await hastenJob(tx.store, { kind: 'prepare', ...subject });
  }
  tx.notices.publish({ kind: 'work' });
}

/**
 * `docs/api.md#domains`: POST /v1/domains/{id}/verify. Makes a DNS check due now or, for a `cert_failed` domain, another issuance. The API
 * refuses test domains. Their connect pages have "Check now" too, so that developers can try the page.
 */
export async function verifyDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<{ queued: true }>> {
  return effect(context, caller, async (tx) => {
    const domain = await lockDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    if (domain.mode === 'test') {
      throw validationFailed({
        path: 'mode',
        message: 'a test domain moves by a timer and has no DNS to check',
      });
    }
    await requestCheck(tx, domain);
    return { status: 202, body: { queued: true } };
  });
}

/**
 * Handles the customer's "Check now" on the connect page, with the same rate limit as `verify` of the API. Also works for test domains.
 * @throws ServiceError `not_found`, `validation_failed` if there is nothing to check, or `rate_limited`.
 */
export async function checkAgain(context: Context, connectToken: string): Promise<void> {
  await transact(context, async (tx) => {
    const found = await findDomainByConnectToken(tx.store, connectToken);
    const domain = found === null ? null : await lockDomainById(tx.store, found.id);
    if (domain === null) throw new ServiceError('not_found');
    await requestCheck(tx, domain);
  });
}
