import { monotonicClock } from '../../shared/adapters/system.ts';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { CommittingClient } from './committing-client.ts';

type Committing = Pick<CommittingClient, 'connection'>;

export type WaitingCommits = ReturnType<typeof createWaitingCommits>;

/**
 * The commits of a node that have no response yet. While a synchronous standby is away, a commit waits without end: no timeout of Postgres
 * applies to it (PostgreSQL 15, section 27.2.8).
 * @param waitingMax how many commits may wait for `patienceMs`. Further commits wait for a fifth of it, so that reads find a connection.
 */
export function createWaitingCommits(waitingMax: number, patienceMs: number = 5 * SECOND_MS) {
  const begun = new Map<Committing, number>();
  const momentMs = patienceMs / 5;
  const commits = {
    /** Monotonic time of the last commit of the watch, or of the end of a pause of this process. */
    committedAt: monotonicClock.now(),
    /** True after the database has committed nothing for `patienceMs` and a commit was given up, until the watch commits. */
    areStuck: false,
    /** Called when a commit is given up. */
    onGivenUp: (): void => undefined,

    /** True while a commit has waited for a fifth of `patienceMs`. */
    get areLate(): boolean {
      const [oldest] = begun.values();
      return oldest !== undefined && monotonicClock.now() - oldest >= momentMs;
    },

    /** True if no further change may begin. */
    get areFull(): boolean {
      return commits.areStuck || (begun.size >= waitingMax && commits.areLate);
    },

    /** Returns the response to a COMMIT. If the response takes too long, closes the client's connection, so that the wait fails. */
    async wait<T>(response: Promise<T>, client: Committing): Promise<T> {
      const waitMs = begun.size >= waitingMax ? momentMs : patienceMs;
      const giveUp = () => {
        if (!begun.has(client)) return;
        // A single connection may have gone silent while others commit.
        commits.areStuck ||= monotonicClock.now() - commits.committedAt >= patienceMs;
        commits.onGivenUp();
        client.connection.stream.destroy(new Error(`COMMIT had no response for ${waitMs} ms`));
      };
      begun.set(client, monotonicClock.now());
      // After a pause of this process, the response is read before the node gives up.
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
