import { ServiceError } from '../../shared/core/errors.ts';
import { envelope } from '../../shared/http/envelope.ts';
import type { Context } from '../../shared/operations/context.ts';
import { pause } from '../../shared/ports/system.ts';
import type { ChaosControl } from './chaos.ts';
import { createDice, type Dice } from './dice.ts';
import type { Chaos } from './faults.ts';

const RETRY_AFTER_S = 1;

/**
 * Injects faults for clients of the API: a 429 with Retry-After, a 500 with its request id, or a slow response.
 * @returns a function that is called for each request: it may wait, then returns an error response, or null to let the request through.
 */
export function createApiChaos(
  { settings, ids }: Pick<Context, 'settings' | 'ids'>,
  chaos: ChaosControl,
): () => Promise<Response | null> {
  let drawnFor: Chaos | null = null;
  let draw: Dice = createDice('');
  return async () => {
    const now = chaos.get();
    // Restart the random sequence when the faults are set, so that the same settings give the same faults in the same order.
    if (now !== drawnFor) draw = createDice(`${now.seed} api`);
    drawnFor = now;
    const { rate_limited, internal_error, slow, delay_ms } = now.api;
    if (rate_limited === 0 && internal_error === 0 && slow === 0) return null;
    const [limited, failed, late] = [draw() < rate_limited, draw() < internal_error, draw() < slow];
    if (late) await pause(delay_ms);
    if (limited) return refuse(new ServiceError('rate_limited', { retry_after_s: RETRY_AFTER_S }));
    return failed ? refuse(new ServiceError('internal_error')) : null;
  };

  function refuse(error: ServiceError): Response {
    const requestId = ids('req');
    const headers = new Headers({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
    });
    if (error.retry_after_s !== undefined) headers.set('retry-after', String(error.retry_after_s));
    return new Response(JSON.stringify(envelope(error, settings, requestId)), {
      status: error.status,
      headers,
    });
  }
}
