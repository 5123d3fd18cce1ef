import type { EventId } from '../../shared/core/ids.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import type { Context } from '../../shared/operations/context.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import type { Outbound, OutboundRequest, OutboundResult } from '../../shared/ports/outbound.ts';
import { pause } from '../../shared/ports/system.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { getEventById } from '../../shared/store/events/events.ts';
import { createDice } from './dice.ts';
import { type Chaos, NO_CHAOS } from './faults.ts';

export interface ChaosControl {
  set(chaos: Chaos): void;
  clear(): void;
  get(): Chaos;
}

/** Signs an event's body again with a shifted timestamp. @returns the signature headers. */
export type SignAt = (eventId: string, body: string, offsetMs: number) => Promise<Record<string, string>>;

/** How long a reordered attempt waits for an attempt of another domain. */
const REORDER_MS = 50;
/** The age of an old signature: twice the age that receivers usually accept. */
const OLD_MS = 600_000;

/** Wraps an outbound client to inject faults into its POST requests, which are webhooks. Other requests pass unchanged. */
export function withChaos(
  outbound: Outbound,
  { signature_header, signAt }: { signature_header: string; signAt: SignAt },
): Outbound & { chaos: ChaosControl } {
  let chaos = NO_CHAOS;
  /**
   * Number of attempts for each pair of hostname and event type. The faults of a pair depend only on this number, so attempts of other
   * pairs do not change them.
   */
  let tries = new Map<string, number>();
  let waiting = new Set<{ hostname: string; pass: () => void }>();

  async function send(request: OutboundRequest): Promise<OutboundResult> {
    if (request.method !== 'POST' || chaos === NO_CHAOS) return outbound.send(request);
    const event = request.body === undefined ? null : readEvent(request.body);
    if (event === null) return outbound.send(request);
    try {
      return await (isTargeted(event, chaos)
        ? sendWithFaults(request, event, chaos)
        : outbound.send(request));
    } finally {
      for (const each of waiting) if (each.hostname !== event.hostname) each.pass();
    }
  }

  async function sendWithFaults(
    request: OutboundRequest,
    event: ChaosEvent,
    now: Chaos,
  ): Promise<OutboundResult> {
    const key = `${event.hostname} ${event.type}`;
    const count = (tries.get(key) ?? 0) + 1;
    tries.set(key, count);
    const draw = createDice(`${now.seed} ${key} ${count}`);
    // Draws a number for every fault. If a fault is enabled, the other faults still hit the same attempts.
    const [fails, late, twice, held, forged, old] = [
      draw() < now.fail,
      draw() < now.timeout,
      draw() < now.duplicate,
      draw() < now.reorder,
      draw() < now.bad_signature,
      draw() < now.old_signature,
    ];
    if (now.delay_ms > 0) await pause(Math.min(now.delay_ms, request.timeoutMs));
    if (now.delay_ms >= request.timeoutMs) return tooLate(request);
    if (held) await waitToBeOvertaken(event.hostname);
    if (fails) return { ok: false, problem: 'connection_failed', response_ms: 0 };
    const offsetMs = now.skew_ms - (old ? OLD_MS : 0);
    let headers = request.headers;
    if (offsetMs !== 0) headers = { ...headers, ...(await signAt(event.id, request.body ?? '', offsetMs)) };
    if (forged) headers = forge(headers, signature_header);
    if (twice) await outbound.send({ ...request, headers });
    const result = await outbound.send({ ...request, headers });
    return late ? tooLate(request) : result;
  }

  /** Waits until an attempt for another domain has been made, but only for a short time. */
  async function waitToBeOvertaken(hostname: string): Promise<void> {
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

interface ChaosEvent {
  id: string;
  type: string;
  hostname: string;
  domain_id: string;
}

function readEvent(body: string): ChaosEvent | null {
  const { id, type, data } = JSON.parse(body);
  const domain = data?.domain;
  return typeof domain?.id === 'string'
    ? { id, type, hostname: domain.hostname, domain_id: domain.id }
    : null;
}

function isTargeted({ type, hostname, domain_id }: ChaosEvent, { types, domains }: Chaos): boolean {
  if (types !== null && !types.some((each) => each === type)) return false;
  return domains === null || domains.includes(hostname) || domains.includes(domain_id);
}

function tooLate({ timeoutMs }: OutboundRequest): OutboundResult {
  return { ok: false, problem: 'timeout', response_ms: timeoutMs };
}

/** Replaces every signature with a signature that no secret can produce. */
function forge(headers: Record<string, string>, signatureHeader: string): Record<string, string> {
  const signature = headers[signatureHeader]?.replace(/v1=[0-9a-f]+/g, `v1=${'0'.repeat(64)}`) ?? '';
  return { ...headers, [signatureHeader]: signature, 'webhook-signature': 'v1,AAAA' };
}

/** Creates a function that signs an event's body with the secrets of its app, as a delivery does, but with a shifted timestamp. */
export function createSignAt(context: () => Context): SignAt {
  return async (eventId, body, offsetMs) => {
    const { store, settings, wallClock } = context();
    const event = await getEventById(store, eventId as EventId);
    const secrets = openSigningSecrets(context(), await getApp(store, event.app_id));
    const timestampS = Math.floor((wallClock.now() + offsetMs) / 1000);
    return {
      [settings.names.signature_header]: signWebhook({ secrets, timestampS, body }),
      'webhook-timestamp': String(timestampS),
      'webhook-signature': standardWebhookSignature({ secrets, id: eventId, timestampS, body }),
    };
  };
}
