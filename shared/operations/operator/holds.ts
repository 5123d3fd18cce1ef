import { type Hold, listHolds as selectHolds } from '../../store/holds.ts';
import type { Context } from '../context.ts';
import { holdHostname, releaseHostname } from '../hold-hostname.ts';
import { act } from './act.ts';

/** Holds as an operator's acts: see `hold-hostname.ts` for what they do. */
export async function hold(
  context: Context,
  actor: string,
  hostname: string,
  reason: string | null,
): Promise<Hold> {
  const detail = { reason };
  return act(context, { actor, action: 'hold.create', subject: hostname, detail }, (tx) =>
    holdHostname(tx, hostname, reason),
  );
}

export async function release(context: Context, actor: string, hostname: string): Promise<void> {
  await act(context, { actor, action: 'hold.release', subject: hostname }, (tx) =>
    releaseHostname(tx, hostname),
  );
}

export async function listHolds(context: Context): Promise<Hold[]> {
  return selectHolds(context.store);
}
