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

/** The target of a seeded domain: a status, or the event that one transition emits. */
export type Goal = { status: Status; reason?: string | undefined } | { event: EventType };

/**
 * Returns the triggers that lead to the goal on the shortest path through the table of transitions.
 * @returns an empty array if the domain has reached the goal already; null if no path leads to the goal.
 */
export function triggersTo(domain: Domain, goal: Goal, now: Instant): TriggerName[] | null {
  if (isReached(domain, goal)) return [];
  const paths: { domain: Domain; triggers: TriggerName[] }[] = [{ domain, triggers: [] }];
  const seen = new Set<string>();
  for (const { domain: from, triggers } of paths) {
    for (const name of possibleTriggers(from, now)) {
      if (!mayUse(name, goal, from)) continue;
      const outcome = transition(from, { name, certificate: testCertificate('', now) }, now);
      if (outcome === null) continue;
      const longer = [...triggers, name];
      if (reaches(outcome, goal)) return longer;
      const key = `${outcome.domain.status} ${outcome.domain.certificate !== null}`;
      if (seen.has(key)) continue;
      seen.add(key);
      paths.push({ domain: outcome.domain, triggers: longer });
    }
  }
  return null;
}

function isReached(domain: Domain, goal: Goal): boolean {
  if (!('status' in goal) || domain.status !== goal.status) return false;
  return goal.reason === undefined || domain.status_reason === goal.reason;
}

function reaches({ domain, emits }: TransitionOutcome, goal: Goal): boolean {
  return 'status' in goal ? domain.status === goal.status : emits === goal.event;
}

/** Returns true if a path to the goal may use the trigger. A path never deletes or holds the domain unless the goal requires it. */
function mayUse(name: TriggerName, goal: Goal, { status }: Domain): boolean {
  const wanted = 'status' in goal ? goal.status : goal.event;
  if (name === 'whitelabel_grace_passed') return false;
  if (name === 'delete') return wanted === 'deleted' || wanted === 'domain.deleted';
  if (name === 'hold') return wanted === 'held' || wanted === 'domain.held' || wanted === 'domain.released';
  return name !== 'release' || status === 'held';
}
