import type { SealedValue } from '../../../shared/core/edge/edge-value.ts';
import type { Instant } from '../../../shared/core/instant.ts';
import type { Mark } from '../../../shared/store/commit-order.ts';
import type { KeyVersion } from './replica.ts';

/**
 * The source that a machine's replica follows (`decisions/0101`): the table in Postgres, or the bucket in NATS. Lists come in batches. Every
 * call fails while the source is away.
 */
export interface ValueSource {
  /** Returns the id of the installation; null if it has no values yet. */
  installation(): Promise<string | null>;
  /** Returns a mark that comes after everything that can be read now. */
  mark(): Promise<Mark>;
  /** Reads the values that changed after a mark. @returns the mark after them; null if the mark belongs to another source. */
  changes(since: Mark): AsyncGenerator<SealedValue[], Mark | null, void>;
  values(): AsyncGenerator<SealedValue[]>;
  /** Reads all holds, and the deletions from a time on if the source can find them. */
  urgent(since: Instant): AsyncGenerator<SealedValue[]>;
  /** Reads all versions, in the order of their keys. */
  versions(): AsyncGenerator<KeyVersion[]>;
  /** Returns the values of those keys that the source knows. */
  find(keys: readonly string[]): Promise<Map<string, SealedValue>>;
  /**
   * Adds a listener, which is called when there may be changes.
   * @param listener gets the changed values if the source has them; they may be older than the replica's. It returns false if it ignored them.
   * @returns a function that removes the listener.
   */
  subscribe(listener: (values: readonly SealedValue[]) => boolean): () => void;
}
