import type { Domain } from '../core/domain.ts';
import { ServiceError, validationFailed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { runsOnTimer } from '../core/schedule.ts';
import { lockDomain } from '../store/domains.ts';
import { scheduleJob } from '../store/jobs.ts';
import { countUse } from '../store/rate-windows.ts';
import type { Answer, Caller, Context } from './context.ts';
import { effect } from './effect.ts';
import { recordTransition } from './record-transition.ts';

/** Section 4.3: POST /v1/domains/{id}/verify. Queues a check now; on a `cert_failed` domain it retries the issuance. */
export async function verifyDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<{ queued: true }>> {
  return effect(context, caller, async (tx) => {
    const domain = await lockDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    const problem = nothingToCheck(domain);
    if (problem !== null) throw validationFailed({ path: '', message: problem });
    const now = tx.clock.now();
    const window = { name: `verify:${domain.id}`, limit: 1, window_ms: LIMITS.verify_window_ms };
    const wait_ms = await countUse(tx.store, window, now);
    if (wait_ms !== null) {
      throw new ServiceError('rate_limited', {
        message: 'This domain was checked less than 15 seconds ago.',
        retry_after_s: Math.ceil(wait_ms / 1000),
      });
    }
    if (domain.status === 'cert_failed') await recordTransition(tx, domain, { name: 'retry_issuance' });
    else {
      const kind = runsOnTimer(domain, tx.settings) ? 'advance' : 'check_dns';
      await scheduleJob(tx.store, { kind, subject_id: domain.id, app_id: domain.app_id, due_at: now });
      tx.notices.publish({ kind: 'work' });
    }
    return { status: 202, body: { queued: true } };
  });
}

/** Why there is nothing to check, or null. A test domain runs on its timer. */
function nothingToCheck(domain: Domain): string | null {
  if (domain.mode === 'test') return 'a test domain runs on its timer; there is no DNS to check';
  const { status } = domain;
  const idle = status === 'issuing' || status === 'held' || status === 'expired';
  return idle ? `there is nothing to check while the domain is ${status}` : null;
}
