import type { TriggerName } from '../shared/core/domains/transitions.ts';
import type { SeenRequest } from '../shared/edge/forwarding/seen-request.ts';
import type { DomainResource } from '../shared/schema/domain.ts';
import type { EventResource } from '../shared/schema/event.ts';
import type { ChaosInput } from './chaos/chaos-schema.ts';
import type { ForcedError } from './chaos/forced-errors.ts';
import type { Seed } from './seed/seed-schema.ts';
import type { CapturedMail } from './state/captured-mail.ts';
import type { ClockMode } from './time/adjustable-clock.ts';
import type { Expectation } from './time/expectation.ts';

/** A running emulator, as a test holds it. `await using` closes it. */
export interface Emulator extends AsyncDisposable {
  /** Of the API, without `/v1`. */
  url: string;
  /** HTTPS is at the same port, for the hostnames that it serves. */
  edge_url: string;
  /** The certificate authority of the edge's HTTPS, in PEM: what `ca` of a TLS client takes. */
  readonly ca: string;
  sandbox_origin: string;
  keys: { test: string; live: string };
  /** The newest one of the default app, after a rotation or an import too. */
  readonly webhook_secret: string;
  /** The default app; a reset makes another. */
  readonly app_id: string;
  clock: EmulatorClock;
  /**
   * Takes a domain through one transition of its state machine, as `POST /_emulator/domains/{id}/trigger` does.
   * @param domain its id, or a hostname of the default app.
   * @param options.reason the `status_reason` that a failure leaves, such as `caa_forbids`.
   * @throws an error with `code` `impossible_trigger` whose `fix` names the triggers that are possible.
   */
  trigger(domain: string, trigger: TriggerName, options?: { reason?: string }): Promise<DomainResource>;
  /**
   * Waits for an event, a delivery or a status: `'domain.active host=careers.acme.com delivered'`, or the same as an object.
   * @param options.within_ms by the emulator's clock; in real time where it is frozen. 30 s by default.
   * @throws Error with `code` `wait_ran_out` that says what came nearest.
   */
  waitFor(
    expectation: string | Expectation,
    options?: { within_ms?: number },
  ): Promise<EventResource | DomainResource>;
  /** Seen at the edge, newest first, with the headers as they were forwarded. */
  requests(): SeenRequest[];
  /** Mail that would have been sent, newest first. */
  mail(): CapturedMail[];
  /** The next matching API requests answer with this code. */
  failNext(error: Pick<ForcedError, 'code' | 'path'> & { times?: number }): void;
  /** Faults from now on; `{}` ends them. */
  chaos(faults: ChaosInput): void;
  /** Holds a hostname or `*.name` for review. */
  hold(hostname: string, reason?: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** Brings about what a seed names. @param seed a path, or its content. */
  seed(seed: string | Seed): Promise<void>;
  /** Back to a fresh account with the same keys, and to the seed that it was started with. */
  reset(): Promise<void>;
  /** Ends everything that it opened. Doing so twice is doing it once. */
  close(): Promise<void>;
}

/** The clock by which everything is due. It moves forwards only. */
export interface EmulatorClock {
  readonly mode: ClockMode;
  /** How far it is ahead of the machine's. */
  readonly offset_ms: number;
  now(): Date;
  /** Moves the clock and resolves when all that came due on the way is done. @param by milliseconds, or `72h`. */
  advance(by: string | number): Promise<{ steps: number }>;
  /** @param instant RFC 3339. */
  advanceTo(instant: string): Promise<{ steps: number }>;
  untilIdle(): Promise<{ steps: number }>;
  next(): Promise<{ steps: number }>;
  setMode(mode: ClockMode): Promise<void>;
}
