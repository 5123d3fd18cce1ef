import type { ManualTrigger } from '../shared/core/domains/transitions.ts';
import type { SeenRequest } from '../shared/edge/forwarding/seen-request.ts';
import type { DomainResource } from '../shared/schema/domain.ts';
import type { EventResource } from '../shared/schema/event.ts';
import type { ChaosInput } from './chaos/chaos-schema.ts';
import type { ForcedError } from './chaos/forced-errors.ts';
import type { Seed } from './seed/seed-schema.ts';
import type { CapturedMail } from './state/captured-mail.ts';
import type { ClockMode } from './time/adjustable-clock.ts';
import type { Expectation } from './time/expectation.ts';

/** A running emulator. `await using` closes it. */
export interface Emulator extends AsyncDisposable {
  /** Base URL of the API, without `/v1`. */
  url: string;
  /** Base URL of the edge over HTTP. The same port serves HTTPS for the hostnames that the edge knows. */
  edgeUrl: string;
  /** The PEM certificate of the authority that signs the edge's certificates. Pass it to a TLS client as `ca`. */
  readonly ca: string;
  sandboxOrigin: string;
  keys: { test: string; live: string };
  /** The newest webhook secret of the default app. A rotation or an import changes it. */
  readonly webhookSecret: string;
  /** Id of the default app. A reset creates a new app with a new id. */
  readonly appId: string;
  clock: ClockHandle;
  /**
   * Runs one transition of a domain's state machine, like `POST /_emulator/domains/{id}/trigger`.
   * @param domain the domain's id, or the hostname of a domain of the default app.
   * @param options.reason `status_reason` for a failure, such as `caa_forbids`.
   * @throws Error with `code` `impossible_trigger`. Its `fix` lists the possible triggers.
   */
  trigger(domain: string, trigger: ManualTrigger, options?: { reason?: string }): Promise<DomainResource>;
  /**
   * Waits for an event, a delivery or a status. Takes a text such as `'domain.active host=careers.acme.com delivered'`, or an equivalent
   * object.
   * @param options.withinMs timeout on the emulator's clock, or in real time if the clock is frozen. 30 s by default.
   * @throws Error with `code` `wait_ran_out` and the closest match in `nearest`.
   */
  waitFor(
    expectation: string | Expectation,
    options?: { withinMs?: number },
  ): Promise<EventResource | DomainResource>;
  /** Returns the requests that the edge received, newest first, with the headers that it forwarded. */
  requests(): SeenRequest[];
  /** Returns the mails that the service would have sent, newest first. */
  mail(): CapturedMail[];
  /** Makes the next matching API requests fail with this error code. */
  failNext(error: Pick<ForcedError, 'code' | 'path'> & { times?: number }): void;
  /** Sets the faults to inject from now on. `{}` turns all faults off. */
  chaos(faults: ChaosInput): void;
  /** Holds a hostname for review. `*.acme.com` holds all names below `acme.com`. */
  hold(hostname: string, reason?: string): Promise<void>;
  release(hostname: string): Promise<void>;
  /** Applies a seed. @param seed path of a seed file, or its content. */
  seed(seed: string | Seed): Promise<void>;
  /** Replaces all state with a fresh account with the same keys, and applies the seed that the emulator was started with. */
  reset(): Promise<void>;
  /** Closes everything that the emulator opened. Further calls have no effect. */
  close(): Promise<void>;
}

/** The emulator's clock, which decides when work is due. It only moves forwards. */
export interface ClockHandle {
  readonly mode: ClockMode;
  /** How far the clock is ahead of the machine's, in milliseconds. */
  readonly offsetMs: number;
  now(): Date;
  /** Moves the clock. Resolves once all work that came due on the way is done. @param by milliseconds, or a text such as `72h`. */
  advance(by: string | number): Promise<{ steps: number }>;
  /** Moves the clock to an instant. @param instant RFC 3339. */
  advanceTo(instant: string): Promise<{ steps: number }>;
  untilIdle(): Promise<{ steps: number }>;
  next(): Promise<{ steps: number }>;
  setMode(mode: ClockMode): Promise<void>;
}
