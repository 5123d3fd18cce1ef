import { testCertificate } from '../../shared/core/certificates/certificate.ts';
import type { Domain } from '../../shared/core/domains/domain.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import {
  possibleTriggers,
  type TransitionOutcome,
  transition,
} from '../../shared/core/domains/transition.ts';
import type { TriggerName } from '../../shared/core/domains/transitions.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { EventType } from '../../shared/core/webhooks/event.ts';

/** Where a domain is to be led: to a status, or to the event that one transition emits. */
export type Goal = { status: Status; reason?: string | undefined } | { event: EventType };

/**
 * The shortest way there, by the table of transitions alone: whoever adds a row adds ways.
 * @returns no trigger where the domain is there already; null where no way leads there.
 */
export function wayTo(domain: Domain, goal: Goal, now: Instant): TriggerName[] | null {
  if (isThere(domain, goal)) return [];
  const ways: { domain: Domain; way: TriggerName[] }[] = [{ domain, way: [] }];
  const seen = new Set<string>();
  for (const { domain: from, way } of ways) {
    for (const name of possibleTriggers(from, now)) {
      if (!isTaken(name, goal, from)) continue;
      const outcome = transition(from, { name, certificate: testCertificate('', now) }, now);
      if (outcome === null) continue;
      const longer = [...way, name];
      if (reaches(outcome, goal)) return longer;
      const key = `${outcome.domain.status} ${outcome.domain.certificate !== null}`;
      if (seen.has(key)) continue;
      seen.add(key);
      ways.push({ domain: outcome.domain, way: longer });
    }
  }
  return null;
}

function isThere(domain: Domain, goal: Goal): boolean {
  if (!('status' in goal) || domain.status !== goal.status) return false;
  return goal.reason === undefined || domain.status_reason === goal.reason;
}

function reaches({ domain, emits }: TransitionOutcome, goal: Goal): boolean {
  return 'status' in goal ? domain.status === goal.status : emits === goal.event;
}

/** Nothing is deleted or held on the way to something else. */
function isTaken(name: TriggerName, goal: Goal, { status }: Domain): boolean {
  const wanted = 'status' in goal ? goal.status : goal.event;
  if (name === 'whitelabel_grace_passed') return false;
  if (name === 'delete') return wanted === 'deleted' || wanted === 'domain.deleted';
  if (name === 'hold') return wanted === 'held' || wanted === 'domain.held' || wanted === 'domain.released';
  return name !== 'release' || status === 'held';
}
