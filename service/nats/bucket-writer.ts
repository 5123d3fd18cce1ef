import { isNewer, type SealedValue } from '../../shared/core/edge/edge-value.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import { type Bucket, ConflictError } from './bucket.ts';
import { createKnownVersions } from './known-versions.ts';

export type BucketWriter = ReturnType<typeof openBucketWriter>;

/** The number of messages that wait for their confirmation together. */
const TOGETHER_MAX = 250;

/**
 * Writes values to the bucket. Each message names the message that it replaces, so a relay that was frozen cannot replace what its successor
 * has written.
 */
export function openBucketWriter({
  bucket,
  source,
  checkLease,
}: {
  bucket: Bucket;
  source: ValueSource;
  /** Fails if another relay has the lease. */
  checkLease(): Promise<void>;
}) {
  const index = createKnownVersions();

  async function put(given: SealedValue): Promise<void> {
    const { key } = given;
    let value = given;
    let known = index.find(key);
    while (known?.epoch !== value.epoch || known.number !== value.number) {
      try {
        const before = writer.sequence;
        const sequence = await bucket.put(value, known?.sequence ?? 0);
        // Servers that lost their last messages use the same sequences again.
        if (sequence <= before) writer.hasGoneBack = true;
        index.add([{ ...value, sequence, isDeleted: value.value === null }]);
        writer.sequence = Math.max(writer.sequence, sequence);
        return;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        const last = await bucket.last(key);
        known = last?.value ? { ...last.value, sequence: last.sequence, isDeleted: last.isDeleted } : null;
        if (known === null) index.remove(key);
        else index.add([known]);
        // The value in the bucket was read first, then the one in the table, then the lease. In this order, no newer value is replaced.
        const found = (await source.find([key])).get(key);
        await checkLease();
        if (found === undefined || (known !== null && isNewer(known, found))) throw error;
        value = found;
      }
    }
  }

  const writer = {
    index,
    /** The highest sequence that the bucket has confirmed. */
    sequence: 0,
    /** Whether the bucket has lost messages. Edges may then have read other messages with the same sequences. */
    hasGoneBack: false,
    /**
     * Writes values that the bucket lacks. @param holds returns whether this process still has the lease.
     * @throws ConflictError if the bucket has a newer value than the table, so that the whole bucket must be compared.
     */
    async putAll(values: readonly SealedValue[], holds: () => boolean): Promise<void> {
      for (let from = 0; from < values.length; from += TOGETHER_MAX) {
        if (!holds()) throw new Error('the lease of the relay has ended');
        const results = await Promise.allSettled(values.slice(from, from + TOGETHER_MAX).map(put));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
    },
    close: index.close,
  };
  return writer;
}
