import type { EventType } from '../../shared/core/webhooks/event.ts';
import type { Outbound, OutboundRequest, OutboundResult } from '../../shared/ports/outbound.ts';
import { pause } from '../../shared/ports/pause.ts';
import { createDice } from './dice.ts';

/** Faults on purpose. Shares are of 1; each is drawn on its own from the seed, so that a run can be repeated. */
export interface Chaos {
  /** Attempts that fail as `connection_failed` before anything is sent. */
  fail: number;
  /** Attempts that arrive, and whose answer comes too late to count. */
  timeout: number;
  /** Attempts that arrive twice. */
  duplicate: number;
  /** Attempts that let one of another domain pass, where there is one. */
  reorder: number;
  /** Attempts whose signature is wrong. */
  bad_signature: number;
  /** Attempts whose signature is right and ten minutes old: a replay. */
  old_signature: number;
  /** Real time before each attempt. */
  delay_ms: number;
  /** By how much the `t` of every signature is off. */
  skew_ms: number;
  /** Only events of these types meet any of it; null is all. */
  types: readonly EventType[] | null;
  /** Only those of these domains, by hostname or id; null is all. */
  domains: readonly string[] | null;
  /** For clients of the API: requests that are refused, fail, or take long. */
  api: { rate_limited: number; internal_error: number; slow: number; delay_ms: number };
  seed: number;
}

export const NO_CHAOS: Chaos = {
  fail: 0,
  timeout: 0,
  duplicate: 0,
  reorder: 0,
  bad_signature: 0,
  old_signature: 0,
  delay_ms: 0,
  skew_ms: 0,
  types: null,
  domains: null,
  api: { rate_limited: 0, internal_error: 0, slow: 0, delay_ms: 1000 },
  seed: 1,
};

/** A bad day: whatever a receiver has to bear, and every event still gets through in the end. */
export const HOSTILE: Chaos = {
  ...NO_CHAOS,
  fail: 0.15,
  timeout: 0.1,
  duplicate: 0.25,
  reorder: 0.3,
  bad_signature: 0.1,
  old_signature: 0.1,
};

export interface ChaosControl {
  set(chaos: Chaos): void;
  clear(): void;
  get(): Chaos;
}

/** Signs an event's body anew, as of another time. @returns the headers that carry it. */
export type SignAt = (event_id: string, body: string, offset_ms: number) => Promise<Record<string, string>>;

/** How long an attempt lets others pass. */
const REORDER_MS = 50;
/** Twice what receivers usually take. */
const OLD_MS = 600_000;

/** Wraps the road out: POSTs, which are webhooks, meet the faults; origin probes do not. */
export function withChaos(
  outbound: Outbound,
  { signature_header, sign_at }: { signature_header: string; sign_at: SignAt },
): Outbound & { chaos: ChaosControl } {
  let chaos = NO_CHAOS;
  /** How often an event type of a domain was tried: dice of its own for each, whatever comes in between. */
  let tries = new Map<string, number>();
  let waiting = new Set<{ hostname: string; pass: () => void }>();

  async function send(request: OutboundRequest): Promise<OutboundResult> {
    if (request.method !== 'POST' || chaos === NO_CHAOS) return outbound.send(request);
    const event = request.body === undefined ? null : readEvent(request.body);
    if (event === null) return outbound.send(request);
    try {
      return await (isMeant(event, chaos) ? sendHarmed(request, event, chaos) : outbound.send(request));
    } finally {
      for (const each of waiting) if (each.hostname !== event.hostname) each.pass();
    }
  }

  async function sendHarmed(request: OutboundRequest, event: Meant, now: Chaos): Promise<OutboundResult> {
    const key = `${event.hostname} ${event.type}`;
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    const draw = createDice(`${now.seed} ${key} ${count}`);
    // All are drawn every time: one fault more leaves the others where they were.
    const [fails, late, twice, held, forged, old] = [
      draw() < now.fail,
      draw() < now.timeout,
      draw() < now.duplicate,
      draw() < now.reorder,
      draw() < now.bad_signature,
      draw() < now.old_signature,
    ];
    if (now.delay_ms > 0) await pause(Math.min(now.delay_ms, request.timeout_ms));
    if (now.delay_ms >= request.timeout_ms) return tooLate(request);
    if (held) await letPass(event.hostname);
    if (fails) return { ok: false, error: 'connection_failed', response_ms: 0 };
    const offset_ms = now.skew_ms - (old ? OLD_MS : 0);
    let headers = request.headers;
    if (offset_ms !== 0)
      headers = { ...headers, ...(await sign_at(event.id, request.body ?? '', offset_ms)) };
    if (forged) headers = forge(headers, signature_header);
    if (twice) await outbound.send({ ...request, headers });
    const result = await outbound.send({ ...request, headers });
    return late ? tooLate(request) : result;
  }

  /** Until an attempt of another domain has been made, or for a moment where there is none. */
  async function letPass(hostname: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = { hostname, pass: resolve };
    waiting.add(entry);
    await Promise.race([promise, pause(REORDER_MS)]);
    waiting.delete(entry);
  }

  function set(next: Chaos): void {
    chaos = next;
    tries = new Map();
    for (const each of waiting) each.pass();
    waiting = new Set();
  }

  return { ...outbound, send, chaos: { get: () => chaos, clear: () => set(NO_CHAOS), set } };
}

interface Meant {
  id: string;
  type: string;
  hostname: string;
  domain_id: string;
}

function readEvent(body: string): Meant | null {
  const { id, type, data } = JSON.parse(body);
  const domain = data?.domain;
  return typeof domain?.id === 'string'
    ? { id, type, hostname: domain.hostname, domain_id: domain.id }
    : null;
}

function isMeant({ type, hostname, domain_id }: Meant, { types, domains }: Chaos): boolean {
  if (types !== null && !types.some((each) => each === type)) return false;
  return domains === null || domains.includes(hostname) || domains.includes(domain_id);
}

function tooLate({ timeout_ms }: OutboundRequest): OutboundResult {
  return { ok: false, error: 'timeout', response_ms: timeout_ms };
}

/** Every signature by a key that nobody has. */
function forge(headers: Record<string, string>, signature_header: string): Record<string, string> {
  const signature = headers[signature_header]?.replace(/v1=[0-9a-f]+/g, `v1=${'0'.repeat(64)}`) ?? '';
  return { ...headers, [signature_header]: signature, 'webhook-signature': 'v1,AAAA' };
}
