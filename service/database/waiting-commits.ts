import { monotonicClock } from '../../shared/adapters/system.ts';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { CommittingClient } from './committing-client.ts';

type Committing = Pick<CommittingClient, 'connection'>;

/**
 * The commits of a node that have no response yet. While a synchronous standby is away, a commit waits without end: no timeout of Postgres
 * applies to it (PostgreSQL 15, section 27.2.8).
 */
export class WaitingCommits {
  /** Monotonic time of the last commit of the watch, or of the end of a pause of this process. */
  committedAt = monotonicClock.now();
  /** True after the database has committed nothing for `patienceMs` and a commit was given up, until the watch commits. */
  areStuck = false;
  /** Called when a commit is given up. */
  onGivenUp: () => void = () => undefined;
  readonly #begun = new Map<Committing, number>();
  readonly #waitingMax: number;
  readonly #patienceMs: number;
  readonly #momentMs: number;

  /**
   * @param waitingMax how many commits may wait for `patienceMs`. Further commits wait for a fifth of it, so that reads find a connection.
   */
  constructor(waitingMax: number, patienceMs: number = 5 * SECOND_MS) {
    this.#waitingMax = waitingMax;
    this.#patienceMs = patienceMs;
    this.#momentMs = patienceMs / 5;
  }

  /** True while a commit has waited for a fifth of `patienceMs`. */
  get areLate(): boolean {
    const [oldest] = this.#begun.values();
    return oldest !== undefined && monotonicClock.now() - oldest >= this.#momentMs;
  }

  /** True if no further change may begin. */
  get areFull(): boolean {
    return this.areStuck || (this.#begun.size >= this.#waitingMax && this.areLate);
  }

  /** Returns the response to a COMMIT. If the response takes too long, closes the client's connection, so that the wait fails. */
  async wait<T>(response: Promise<T>, client: Committing): Promise<T> {
    const patienceMs = this.#begun.size >= this.#waitingMax ? this.#momentMs : this.#patienceMs;
    const giveUp = () => {
      if (!this.#begun.has(client)) return;
      // A single connection may have gone silent while others commit.
      this.areStuck ||= monotonicClock.now() - this.committedAt >= this.#patienceMs;
      this.onGivenUp();
      client.connection.stream.destroy(new Error(`COMMIT had no response for ${patienceMs} ms`));
    };
    this.#begun.set(client, monotonicClock.now());
    // After a pause of this process, the response is read before the node gives up.
    const timer = setTimeout(() => setImmediate(giveUp), patienceMs);
    return response.finally(() => {
      clearTimeout(timer);
      this.#begun.delete(client);
    });
  }

  /** Records that the database has committed. */
  confirm(): void {
    this.committedAt = monotonicClock.now();
    this.areStuck = false;
  }
}
