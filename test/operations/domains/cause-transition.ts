import type { Domain } from '../../../shared/core/domains/domain.ts';
import type { Trigger } from '../../../shared/core/domains/transition.ts';
import { type Context, transact } from '../../../shared/operations/context.ts';
import { recordTransition } from '../../../shared/operations/domains/record-transition.ts';

/** Applies a trigger to a domain, in its own transaction. */
export function causeTransition(context: Context, domain: Domain, trigger: Trigger): Promise<Domain> {
  return transact(context, (tx) => recordTransition(tx, domain, trigger));
}
