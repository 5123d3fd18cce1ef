import { monotonicClock } from '../../shared/adapters/system.ts';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { CommittingClient } from './committing-client.ts';

type Committing = Pick<CommittingClient, 'connection'>;

export type WaitingCommits = ReturnType<typeof createWaitingCommits>;

/**
 * Tracks the commits of a node that have no response yet. While a synchronous standby is away, a commit waits forever, because no timeout
 * of Postgres applies to it (PostgreSQL 15, section 27.2.8).
 * @param waitingMax how many commits may wait for `patienceMs`. Further commits wait only for a fifth of this time, so that reads get a
 * connection.
 */
export function createWaitingCommits(waitingMax: number, patienceMs: number = 5 * SECOND_MS) {
  const begun = new Map<Committing, number>();
  const momentMs = patienceMs / 5;
  const commits = {
    /** The monotonic time at which the commit watch last committed, or at which a pause of this process ended. */
    committedAt: monotonicClock.now(),
    /**
     * True after a commit was given up while the database had committed nothing for `patienceMs`. False again once the commit watch has
     * committed.
     */
    areStuck: false,
    /** Called when a commit is given up. */
    onGivenUp: (): void => undefined,

    /** True while any commit has waited for more than a fifth of `patienceMs`. */
    get areLate(): boolean {
      const [oldest] = begun.values();
      return oldest !== undefined && monotonicClock.now() - oldest >= momentMs;
    },

    /** True if no further change may be sent to the database. */
    get areFull(): boolean {
      return commits.areStuck || (begun.size >= waitingMax && commits.areLate);
    },

    /** Awaits the response to a COMMIT. If the response takes too long, closes the client's connection, so that the wait fails. */
    async wait<T>(response: Promise<T>, client: Committing): Promise<T> {
      const waitMs = begun.size >= waitingMax ? momentMs : patienceMs;
      const giveUp = () => {
        if (!begun.has(client)) return;
        // Check other commits too, because a single connection may be silent while the database still commits on others.
        commits.areStuck ||= monotonicClock.now() - commits.committedAt >= patienceMs;
        commits.onGivenUp();
        client.connection.stream.destroy(new Error(`COMMIT had no response for ${waitMs} ms`));
      };
      begun.set(client, monotonicClock.now());
      // With `setImmediate`, a response that arrived during a pause of this process is read before the node gives up.
      const timer = setTimeout(() => setImmediate(giveUp), waitMs);
      return response.finally(() => {
        clearTimeout(timer);
        begun.delete(client);
      });
    },

    /** Records that the database has committed. */
    confirm(): void {
      commits.committedAt = monotonicClock.now();
      commits.areStuck = false;
    },
  };
  return commits;
}
