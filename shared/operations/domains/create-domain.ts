import {
  checkDomainFits,
  checkLiveModeAllowed,
  checkTestDomainFits,
  domainLimits,
  effectivePlan,
} from '../../core/accounts/account.ts';
import { PLAN_NAMES } from '../../core/accounts/plan.ts';
import { BUDGETS } from '../../core/budgets.ts';
import type { Domain } from '../../core/domains/domain.ts';
import {
  certificateDoubt,
  checkIsPublic,
  type ParsedHostname,
  parseHostname,
} from '../../core/domains/hostname.ts';
import { isHostedTest, runsOnTimer, timerOutcome } from '../../core/domains/schedule.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { ChangedDomain, CreateDomain, Warning } from '../../schema/domain.ts';
import type { CountLimits } from '../../store/domains/domain-counts.ts';
import { findDomainOfApp, lockDomainById } from '../../store/domains/domains.ts';
import { type CreationFacts, readForCreation } from '../../store/domains/read-for-creation.ts';
import { dropConnectHost } from '../connect/connect-host.ts';
import type { Answer, Caller, Context, TxContext } from '../context.ts';
import { spend } from '../spend.ts';
import { type CustomerAddresses, findCustomerAddresses } from './customer-target.ts';
import {
  checkApexRedirect,
  type DomainFields,
  readDomainFields,
  readOrigin,
  unknownFieldWarnings,
} from './domain-fields.ts';
import { effect } from './effect.ts';
import { newDomain } from './new-domain.ts';
import { presentDomain } from './present-domain.ts';
import { recordCreation, recordTransition } from './record-transition.ts';

interface Draft extends DomainFields, ParsedHostname {
  origin?: string | null;
  apex_redirect?: Domain['apex_redirect'];
  warnings: Warning[];
}

/** `docs/api.md#domains`: POST /v1/domains. Idempotent per app and hostname. If the app's domain has expired, starts its setup again. */
export async function createDomain(
  context: Context,
  caller: Caller,
  input: { body: CreateDomain; unknownFields?: readonly string[] },
): Promise<Answer<ChangedDomain>> {
  const { body } = input;
  const fields = readDomainFields(context, body);
  const unknown = unknownFieldWarnings(input.unknownFields);
  const parsed = parseHostname(body.hostname, context.settings.serviceZones);
  checkApexRedirect(parsed.is_apex, body.apex_redirect);
  const draft: Draft = { ...fields, ...parsed, ...(await newOrigin(context, caller, parsed.hostname, body)) };
  if (body.apex_redirect !== undefined) draft.apex_redirect = body.apex_redirect;
  return effect(context, caller, async (tx) => {
    const { app_id } = caller;
    const { hostname } = parsed;
    const facts = await readForCreation(tx.store, app_id, hostname);
    const { app } = facts;
    const shown = { app, ...(await findCustomerAddresses(tx, app)) };
    const existing = facts.exists ? await findDomainOfApp(tx.store, app_id, hostname) : null;
    // If the app already has this hostname, return that domain, even when a new one would be refused.
    if (existing !== null) {
      const { domain, status, warnings } = await keepExisting(tx, caller, facts, existing, body);
      return answer(tx, shown, domain, status, [...unknown, ...warnings]);
    }
    const limits = checkMayAdd(tx, caller, hostname, facts);
    await countAddition(tx, caller, facts);
    // If the hostname is the app's own white-label host, the new domain replaces the connect pages there.
    if (hostname === app.whitelabel_host) await dropConnectHost(tx, app_id, hostname);
    const created = recordCreation(tx, shown, draftedDomain(tx, caller, app, draft), limits);
    return answer(tx, shown, created, 201, [...unknown, ...draft.warnings, ...doubts(caller, created)]);
  });
}

/**
 * Warns about a hostname that most certificate authorities refuse. The API accepts such a hostname, because an operator's own authority may
 * issue a certificate for it.
 */
function doubts({ mode }: Caller, { hostname }: Domain): Warning[] {
  const doubt = mode === 'live' ? certificateDoubt(hostname) : null;
  if (doubt === null) return [];
  const message = `${hostname} may get no certificate: ${doubt}. If it does not become active, use another name.`;
  return [{ code: 'certificate_unlikely', message }];
}

/** Checks the origin and resolves its name, outside the transaction. Does nothing for an existing domain, which keeps its origin. */
async function newOrigin(
  context: Context,
  caller: Caller,
  hostname: string,
  { origin }: CreateDomain,
): Promise<Pick<Draft, 'origin' | 'warnings'>> {
  if (origin !== undefined && (await findDomainOfApp(context.store, caller.app_id, hostname)) !== null) {
    return { warnings: [] };
  }
  return readOrigin(context, caller, origin);
}

/**
 * Returns the existing domain unchanged. If the domain has expired, starts its setup window again (`docs/api.md#states-and-transitions`).
 */
async function keepExisting(
  tx: TxContext,
  caller: Caller,
  facts: CreationFacts,
  existing: Domain,
  body: CreateDomain,
): Promise<{ domain: Domain; status: number; warnings: Warning[] }> {
  if (existing.mode !== caller.mode) {
    throw validationFailed({
      path: 'hostname',
      message: `${existing.hostname} is already in the app in ${existing.mode} mode`,
    });
  }
  const { hostname: _, ...others } = body;
  const warnings: Warning[] = [];
  if (Object.values(others).some((value) => value !== undefined)) {
    warnings.push({ code: 'existing_domain_unchanged', message: EXISTING_UNCHANGED });
  }
  const locked = existing.status === 'expired' ? await lockDomainById(tx.store, existing.id) : existing;
  if (locked?.status !== 'expired') {
    await tx.guard?.unchanged(tx);
    return { domain: locked ?? existing, status: 200, warnings };
  }
  const limits = isHostedTest(caller, tx.settings) ? {} : checkMayAdd(tx, caller, locked.hostname, facts);
  const domain = await recordTransition(tx, locked, { name: 'recreate' }, limits);
  return { domain, status: 200, warnings };
}

const EXISTING_UNCHANGED =
  'The app already has this hostname, so the other fields were ignored. Change them with PATCH /v1/domains/{id}.';

/**
 * Checks that the app may add the hostname.
 * @returns limits that the account's counts must not exceed when the transaction commits.
 * @throws ServiceError `hostname_held`, `invalid_hostname`, `card_required`, `live_keys_need_plan`, `domain_limit_reached`, or the error that a test hostname
 * forces.
 */
function checkMayAdd(
  tx: TxContext,
  caller: Caller,
  hostname: string,
  { isHeld, account, counts }: CreationFacts,
): CountLimits {
  if (isHeld) {
    throw new ServiceError('hostname_held', { message: `${hostname} is held for review.` });
  }
  if (runsOnTimer(caller, tx.settings)) refuseAsForced(tx, hostname);
  if (caller.mode === 'live') checkIsPublic(hostname, tx.settings);
  const now = tx.clock.now();
  const { plans } = tx.settings;
  if (caller.mode === 'live') {
    checkLiveModeAllowed(account, plans, now);
    checkDomainFits(account, counts, plans, hostname, now);
    return domainLimits(account, plans, now);
  }
  if (!isHostedTest(caller, tx.settings)) return {};
  checkTestDomainFits(account, counts, hostname, now);
  return { tests: BUDGETS.test_domains.limit };
}

/**
 * Applies the rate limit for new domains, because even a deleted domain leaves events behind. The limit applies to live domains only if the
 * account has deleted many.
 * @throws ServiceError `rate_limited`.
 */
async function countAddition(
  tx: TxContext,
  caller: Caller,
  { account, counts }: CreationFacts,
): Promise<void> {
  if (isHostedTest(caller, tx.settings)) return spend(tx, 'test_domains_added', account.id);
  if (caller.mode === 'test') return;
  if (counts.added - counts.used < BUDGETS.live_domains_added.limit) return;
  await spend(
    tx,
    'live_domains_added',
    account.id,
    effectivePlan(account, tx.settings.plans, tx.clock.now()).limit,
  );
}

/** Throws the error that the first label of a test hostname forces, if any (`docs/test-mode.md`). */
function refuseAsForced({ settings }: Context, hostname: string): void {
  const code = timerOutcome({ hostname }).refusedWith;
  if (code === undefined) return;
  const message = `${hostname} is refused with ${code} because its first label asks for it.`;
  if (code === 'validation_failed') throw validationFailed({ path: 'hostname', message });
  if (code !== 'domain_limit_reached') throw new ServiceError(code, { message });
  const { limit } = settings.plans.free;
  const plans = PLAN_NAMES.map((plan) => ({ plan, ...settings.plans[plan] }))
    .filter((plan) => plan.limit > limit)
    .map(({ plan, included, limit }) => ({ plan, included, limit }));
  throw new ServiceError(code, {
    message,
    status_detail: { plan: 'free', trial: false, used: limit, limit, hostname, plans },
  });
}

function draftedDomain(
  tx: TxContext,
  { app_id, mode }: Caller,
  app: CreationFacts['app'],
  draft: Draft,
): Domain {
  const { hostname, is_apex, origin = null, metadata = null, origin_headers = null } = draft;
  const redirect = draft.apex_redirect ?? (is_apex ? app.apex_redirect_default : 'none');
  const given = { app_id, mode, hostname, is_apex, apex_redirect: redirect };
  return newDomain(tx, { ...given, origin, metadata, origin_headers });
}

function answer(
  tx: TxContext,
  addresses: CustomerAddresses,
  domain: Domain,
  status: number,
  warnings: Warning[],
): Answer<ChangedDomain> {
  const body = presentDomain(tx, addresses, domain);
  return { status, body: warnings.length === 0 ? body : { ...body, warnings } };
}
