import { type Hold, listHolds as selectHolds } from '../../store/domains/holds.ts';
import type { Context } from '../context.ts';
import { liftHold, placeHold, settleNow } from '../domains/hold-hostname.ts';
import { act } from './act.ts';

/** Places a hold and writes it to the audit log. `hold-hostname.ts` describes the effect. */
export async function hold(
  context: Context,
  actor: string,
  hostname: string,
  reason: string | null,
): Promise<Hold> {
  const detail = { reason };
  const placed = await act(context, { actor, action: 'hold.create', subject: hostname, detail }, (tx) =>
    placeHold(tx, hostname, reason),
  );
  await settleNow(context, placed.job);
  return placed.hold;
}

export async function release(context: Context, actor: string, hostname: string): Promise<void> {
  const job = await act(context, { actor, action: 'hold.release', subject: hostname }, (tx) =>
    liftHold(tx, hostname),
  );
  await settleNow(context, job);
}

export async function listHolds(context: Context): Promise<Hold[]> {
  return selectHolds(context.store);
}
