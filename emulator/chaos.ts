import type { Outbound, OutboundRequest, OutboundResult } from '../shared/ports/outbound.ts';
import { pause } from '../shared/ports/pause.ts';

/** Faults for webhooks. Shares are of 1; each is drawn on its own from the seed, so that a run can be repeated. */
export interface Chaos {
  /** Attempts that fail as `connection_failed` before anything is sent. */
  fail: number;
  /** Real time before each attempt. */
  delay_ms: number;
  /** Attempts that arrive twice. */
  duplicate: number;
  /** Attempts whose signature is wrong. */
  bad_signature: number;
  seed: number;
}

const NO_CHAOS: Chaos = { fail: 0, delay_ms: 0, duplicate: 0, bad_signature: 0, seed: 1 };

export interface ChaosControl {
  set(chaos: Chaos): void;
  clear(): void;
  get(): Chaos;
}

/** Wraps the road out: POSTs meet the faults, origin probes do not. */
export function withChaos(outbound: Outbound, signature_header: string): Outbound & { chaos: ChaosControl } {
  let chaos = NO_CHAOS;
  let draw = mulberry32(chaos.seed);

  async function send(request: OutboundRequest): Promise<OutboundResult> {
    if (request.method !== 'POST' || chaos === NO_CHAOS) return outbound.send(request);
    const [fails, twice, forged] = [
      draw() < chaos.fail,
      draw() < chaos.duplicate,
      draw() < chaos.bad_signature,
    ];
    if (chaos.delay_ms > 0) await pause(Math.min(chaos.delay_ms, request.timeout_ms));
    if (chaos.delay_ms >= request.timeout_ms)
      return { ok: false, error: 'timeout', response_ms: request.timeout_ms };
    if (fails) return { ok: false, error: 'connection_failed', response_ms: 0 };
    const sent = forged ? { ...request, headers: forge(request.headers, signature_header) } : request;
    if (twice) await outbound.send(sent);
    return outbound.send(sent);
  }

  return {
    ...outbound,
    send,
    chaos: {
      get: () => chaos,
      clear() {
        chaos = NO_CHAOS;
      },
      set(next) {
        chaos = next;
        draw = mulberry32(next.seed);
      },
    },
  };
}

/** Every signature by a key that nobody has. */
function forge(headers: Record<string, string>, signature_header: string): Record<string, string> {
  const signature = headers[signature_header]?.replace(/v1=[0-9a-f]+/g, `v1=${'0'.repeat(64)}`) ?? '';
  return { ...headers, [signature_header]: signature, 'webhook-signature': 'v1,AAAA' };
}

/** A small seeded generator of numbers in [0, 1): enough for dice. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
