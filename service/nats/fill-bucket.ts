import { randomUUID } from 'node:crypto';
import { isNewer } from '../../shared/core/edge/edge-value.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Mark } from '../../shared/store/commit-order.ts';
import type { KeyVersion } from '../edge/replica/replica.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import { versionDifferences } from '../edge/replica/version-differences.ts';
import type { Bucket } from './bucket.ts';
import type { BucketRecord } from './bucket-message.ts';
import type { BucketWriter } from './bucket-writer.ts';

export interface FillOptions {
  bucket: Bucket;
  writer: BucketWriter;
  /** The table. */
  source: ValueSource;
  /** The number of servers that keep a copy of a new bucket. */
  replicas: number;
  /** Returns whether this process still has the lease. */
  holds(): boolean;
  /** A position up to which the bucket has all changes; null if unknown. Later changes are no differences. */
  storedTo: Mark | null;
  /** Called if the bucket is not complete until the end of this fill. */
  onIncomplete(): void;
  log: Log;
}

const FOUND_MAX = 500;

/**
 * Makes the bucket equal to the table. Creates a missing bucket. Reads only versions, and writes only what differs. If a value of the bucket
 * is newer than the table's, the database has lost commits. Edges would ignore the older value, so the bucket gets another generation, after
 * which they compare all values.
 * @returns the new record, and the number of values that differed without a change if the bucket was complete.
 * @throws Error if the bucket belongs to another installation.
 */
export async function fillBucket(
  options: FillOptions,
): Promise<{ record: BucketRecord; differences: number }> {
  const { bucket, writer, source, replicas, holds, storedTo, onIncomplete, log } = options;
  const { index } = writer;
  const sequence = await bucket.lastSequence();
  if (sequence === null) await bucket.create(replicas);
  const found = sequence === null ? null : await bucket.record();
  const known = found?.record ?? null;
  let recordSequence = found?.sequence ?? 0;
  const installation = await source.installation();
  if (known?.installation && known.installation !== installation)
    throw new Error('the bucket belongs to another installation: set NAMEPLATE_NATS_BUCKET to another name');
  let isWhole =
    known?.is_complete === true &&
    known.installation === installation &&
    (sequence ?? 0) >= writer.sequence &&
    !writer.hasGoneBack;
  const record = { installation, generation: known?.generation ?? randomUUID() };
  const wasComplete = known?.is_complete === true;
  const differing: string[] = [];
  const putRecord = async (next: BucketRecord) => {
    if (!holds()) throw new Error('the lease of the relay has ended');
    recordSequence = await bucket.putRecord(next, recordSequence);
  };
  const beginAnew = async () => {
    isWhole = false;
    onIncomplete();
    await putRecord({ ...record, is_complete: false });
  };
  // The stream must end with a message, because readers read up to its last sequence. A relay may have ended after a removal.
  if (isWhole && known !== null) await putRecord(known);
  else await beginAnew();

  index.clear();
  for await (const messages of bucket.readAll({ headersOnly: true }))
    index.add(messages.flatMap(({ value, ...at }) => (value === null ? [] : { ...value, ...at })));

  let [after, hasPurged] = ['', false];
  const repairUpTo = async (rows: readonly KeyVersion[], to: string | null): Promise<void> => {
    const different = versionDifferences(rows, index.range(after, to));
    if (wasComplete) differing.push(...different.map(({ key }) => key));
    for (let from = 0; from < different.length; from += FOUND_MAX) {
      const part = different.slice(from, from + FOUND_MAX);
      const values = await source.find(part.map(({ key }) => key));
      for (const { key, compared } of part) {
        const value = values.get(key);
        if (compared === null) continue;
        // Edges do not learn of a removed message.
        const isLost = value === undefined ? !compared.isDeleted : isNewer(compared, value);
        if (isLost && isWhole) await beginAnew();
        if (value !== undefined) continue;
        if (!holds()) throw new Error('the lease of the relay has ended');
        await bucket.purge(key, compared.sequence);
        index.remove(key);
        hasPurged = true;
      }
      await writer.putAll([...values.values()], holds);
    }
  };
  for await (const rows of source.versions()) {
    const to = rows.at(-1)?.key ?? after;
    await repairUpTo(rows, to);
    after = to;
  }
  await repairUpTo([], null);

  const complete: BucketRecord = {
    ...record,
    generation: isWhole ? record.generation : randomUUID(),
    is_complete: true,
  };
  // After a removal, the stream must end with a message, because edges read up to its last sequence.
  if (!isWhole || hasPurged) await putRecord(complete);
  writer.hasGoneBack = false;
  writer.sequence = (await bucket.lastSequence()) ?? 0;
  const changed = new Set<string>();
  if (differing.length > 0 && storedTo !== null)
    for await (const values of source.changes(storedTo)) for (const { key } of values) changed.add(key);
  const differences = differing.filter((key) => !changed.has(key)).length;
  if (differences > 0)
    log.warn({ differences }, 'the bucket in NATS differed from the table, and was repaired');
  return { record: complete, differences };
}
