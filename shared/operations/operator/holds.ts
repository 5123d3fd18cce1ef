import { type Hold, selectHolds } from '../../store/domains/holds.ts';
import type { Context } from '../context.ts';
import { liftHold, placeHold, runHoldJob } from '../domains/hold-hostname.ts';
import { withAudit } from './with-audit.ts';

/** Places a hold and writes it to the audit log. `hold-hostname.ts` describes the effect. */
export async function hold(
  context: Context,
  actor: string,
  hostname: string,
  reason: string | null,
): Promise<Hold> {
  const detail = { reason };
  const placed = await withAudit(context, { actor, action: 'hold.create', subject: hostname, detail }, (tx) =>
    placeHold(tx, hostname, reason),
  );
  await runHoldJob(context, placed.job);
  return placed.hold;
}

export async function release(context: Context, actor: string, hostname: string): Promise<void> {
  const job = await withAudit(context, { actor, action: 'hold.release', subject: hostname }, (tx) =>
    liftHold(tx, hostname),
  );
  await runHoldJob(context, job);
}

export async function listHolds(context: Context): Promise<Hold[]> {
  return selectHolds(context.store);
}
