import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeVersion, SealedValue } from '../core/edge/edge-value.ts';
import type { AppId, DomainId, IdPrefix, makeId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';

/**
 * The clock that decides when work is due. The service uses the database's time, and the emulator uses an adjustable time. The `t` of
 * signatures comes from a separate wall clock, because receivers compare it with their own clocks.
 */
export interface Clock {
  now(): Instant;
}

/** A wait in real time that `ring` ends early. The runner of due work waits on an alarm between rounds. */
export interface Alarm {
  /** Resolves after this many milliseconds, or as soon as the alarm rings. Resolves at once if the alarm has rung since the last wait. */
  wait(durationMs: number): Promise<void>;
  ring(): void;
}

export function createAlarm(): Alarm {
  let rung = false;
  let end: (() => void) | null = null;
  return {
    async wait(durationMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, durationMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = null;
      rung = false;
    },
    ring() {
      rung = true;
      end?.();
    },
  };
}

/** Waits in real time for something outside of this process. For work that is due at a time of the clock, schedule a job instead. */
export async function pause(durationMs: number): Promise<void> {
  await sleep(durationMs);
}

/** Returns a buffer with this many random bytes. Everything that must be unpredictable uses `systemRandom`. */
export type Random = (bytes: number) => Uint8Array;

/** Creates an id, which contains the clock's current time. */
export type Ids = <P extends IdPrefix>(prefix: P) => ReturnType<typeof makeId<P>>;

/** Encrypts secrets at rest: signing secrets, TLS keys and stored response bodies. */
export interface SecretBox {
  /**
   * Seals a text. @param boundTo identifies the owner. The text opens only with the same value, so that nobody can move it to another row.
   */
  seal(text: string, boundTo: string): string;
  /** Opens a sealed text. @throws Error if the key is unknown, or if the text was changed or belongs to another owner. */
  open(sealed: string, boundTo: string): string;
  /** Returns a secret box that uses only the given key, such as a data key. @param key a key of 32 bytes. */
  withKey(key: Uint8Array): SecretBox;
}

/** Seals the values that edges serve from. Each value opens only with its own key and version. */
export interface ValueBox {
  /** Seals a value, which becomes JSON. */
  seal(at: EdgeVersion & { key: string }, value: object): Uint8Array;
  /** Opens a value. @throws Error if its key of the ring is unknown, or if it was changed or belongs to another key or version. */
  open(sealed: SealedValue & { value: Uint8Array }): object;
  /** Returns whether a value was sealed with the ring's current key. */
  isCurrent(value: Uint8Array): boolean;
}

export interface KeyRing {
  /** The id of the key that seals new texts. The other keys only open texts that they sealed earlier. */
  current: string;
  /** Keys of 32 bytes, by key id (letters and digits). */
  keys: ReadonlyMap<string, Uint8Array>;
}

/** Structured logs. They never contain a body, a key, a secret or a query string. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A notice to other parts of the system about a committed change. A lost notice delays their reaction, but breaks nothing. */
export type Notice =
  /** A job, or the queue of a domain's events, became due. */
  | { kind: 'work' }
  /** An app has a new event. Streams of the app's events read it. */
  | { kind: 'event'; app_id: string }
  /** A key of the app was revoked, or the app's account changed. Caches of keys drop their entries of this app. */
  | { kind: 'credentials'; app_id: string }
  /**
   * The route or the certificate of a hostname may have changed. The transaction that publishes this notice also writes the changed
   * values, so edges learn of the change even if the notice is lost (`decisions/0101`).
   */
  | { kind: 'route'; hostname: string }
  /** A hold was placed or lifted; `*.name` stands for all names below `name`. */
  | { kind: 'hold'; hostname: string }
  /** An edge machine was drained or undrained. */
  | { kind: 'drain'; node: string }
  /** The routes of all hostnames of an app may have changed: its origin, its secret or its plan. */
  | { kind: 'routes'; app_id: AppId }
  /** A challenge was opened or closed. Edges serve its response. */
  | { kind: 'challenge'; hostname: string; token: string; domain_id: DomainId }
  /** Notices may have been lost, so each cache that relies on notices must read its data again. */
  | { kind: 'gap' }
  /** A signing secret was rotated. */
  | { kind: 'secret'; app_id: string };

export interface Notices {
  publish(notice: Notice): void;
  /** @returns a function that ends the subscription. */
  subscribe(listener: (notice: Notice) => void): () => void;
}
