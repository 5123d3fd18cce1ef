import type { Domain } from '../../core/domains/domain.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import { findTransition, possibleTriggers, type Trigger } from '../../core/domains/transition.ts';
import type { ManualTrigger, TriggerName } from '../../core/domains/transitions.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import type { ReasonCode } from '../../core/reasons.ts';
import { printable } from '../../core/text/printable.ts';
import { lockDomainAndRivals } from '../../store/domains/domains-of-hostname.ts';
import { findHold } from '../../store/domains/holds.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { prepareOnTimer, timerCertificate } from './advance-domain.ts';
import { recordTransition } from './record-transition.ts';

/** Returns the triggers that `recordTransition` accepts for a domain now. Excludes `release` while a hold covers the hostname. */
export async function findPossibleTriggers(
  { store, clock }: Context,
  domain: Domain,
): Promise<TriggerName[]> {
  const possible = possibleTriggers(domain, clock.now());
  if (!possible.includes('release') || (await findHold(store, domain.hostname)) === null) return possible;
  return possible.filter((name) => name !== 'release');
}

/** The domain after the transition. If there was none, the domain's status and the triggers that are possible in this status. */
export type TriggerOutcome =
  | { ok: true; domain: Domain }
  | { ok: false; problem: { status: Domain['status']; possible: ManualTrigger[] } };

const CERTIFICATE_TRIGGERS: readonly TriggerName[] = ['certificate_issued', 'certificate_renewed'];

/** The reason to record for a trigger if the caller gives none: the trigger's most common reason. */
const USUAL_REASONS: Partial<Record<TriggerName, ReasonCode>> = {
  dns_gone: 'dns_record_missing',
  whitelabel_grace_passed: 'whitelabel_unverified',
  issuance_failed: 'ca_challenge_failed',
  renewal_failed: 'ca_challenge_failed',
};

/**
 * Causes one transition of a domain, or a delegation of its challenges, on request of an emulator's user.
 * @throws ServiceError `not_found`.
 */
export async function triggerDomain(
  context: Context,
  id: string,
  name: ManualTrigger,
  reason?: string,
): Promise<TriggerOutcome> {
  return transact(context, async (tx) => {
    const domain = await lockDomainAndRivals(tx.store, id as DomainId);
    if (domain === null) {
      throw new ServiceError('not_found', {
        message: `There is no domain ${printable(id)}.`,
        fix: 'Use the id that creating the domain returned.',
      });
    }
    const now = tx.clock.now();
    const mayDelegate = isAwaitingDns(domain.status);
    if (name === 'challenge_delegated') {
      if (mayDelegate) return { ok: true, domain: await prepareOnTimer(tx, domain) };
    } else if (findTransition(domain, name, now) !== null)
      return { ok: true, domain: await takeTransition(tx, domain, name, reason) };
    const possible = await findPossibleTriggers(tx, domain);
    const delegation = mayDelegate ? (['challenge_delegated'] as const) : [];
    return { ok: false, problem: { status: domain.status, possible: [...possible, ...delegation] } };
  });
}

async function takeTransition(
  tx: TxContext,
  domain: Domain,
  name: TriggerName,
  reason: string | undefined,
): Promise<Domain> {
  const trigger: Trigger = { name };
  const given = reason ?? USUAL_REASONS[name];
  if (given !== undefined) trigger.reason = given;
  if (CERTIFICATE_TRIGGERS.includes(name)) {
    trigger.certificate = timerCertificate(tx, domain);
  }
  return recordTransition(tx, domain, trigger);
}
