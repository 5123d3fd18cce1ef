import type { NatsConnection } from '@nats-io/transport-node';
import { monotonicClock } from '../../shared/adapters/system.ts';
import type { SealedValue } from '../../shared/core/edge/edge-value.ts';
import type { Clock } from '../../shared/ports/system.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import type { BucketMessage } from './bucket-message.ts';
import { createKnownVersions } from './known-versions.ts';
import type { OpenedNats } from './open-nats.ts';
import { listenToBeats, type RelayBeats } from './relay-beat.ts';

export interface NatsSource extends ValueSource {
  /** The database's time from the relay's beats; this machine's time before the first beat. */
  clock: Clock;
  close(): void;
}

/** After this time without a beat of the relay, an edge cannot know whether the bucket has all changes. */
const SILENT_MS = 2_000;
/** A reader that was unused for this time is opened again, because the server may have deleted it. */
const READER_MS = 20_000;
/** Values from messages are applied together, because each transaction of the replica waits for the disk. */
const GATHERED_MS = 10;
/** The maximum number of such values. Further ones are read from the bucket. */
const GATHERED_MAX = 5_000;
const VERSIONS_PAGE = 5_000;

/**
 * Creates the source that reads the bucket in NATS. It also passes on the relay's messages at once, because the bucket accepts no value while
 * its servers elect a leader. It reads the bucket only if the relay reports a higher sequence than this source has read.
 */
export function createNatsSource(nats: OpenedNats, systemClock: Clock): NatsSource {
  const listeners = new Set<(values: readonly SealedValue[]) => boolean>();
  const tell = (values: readonly SealedValue[]) => {
    for (const listener of listeners) if (!listener(values)) missed = 'unknown';
  };
  /** The generation of the bucket; null if it must be read. */
  let generation: string | null = null;
  /** A reader that continues after a sequence. */
  let reader: { after: number; usedAt: number; read(): AsyncGenerator<BucketMessage[]> } | null = null;
  /** Values that the relay sent up to this count may be missing; null if none is, `unknown` after the connection broke. */
  let missed: 'unknown' | { told: number } | null = 'unknown';
  /** The relay of the last beat. */
  let term: string | null = null;
  let gathered: SealedValue[] = [];

  let beats: RelayBeats | null = null;
  /** Resolves with the first beat, or once it is late, because a relay sends only two beats a second. */
  const begun = Promise.withResolvers<void>();
  const late = setTimeout(begun.resolve, SILENT_MS).unref();
  let unlisten: () => void = () => undefined;
  nats.opened.then(
    ({ nc, bucket }) => {
      beats = listenToBeats(nc, nats.name, (beat) => {
        begun.resolve();
        if (beat.generation !== generation || beat.sequence > (reader?.after ?? 0)) tell([]);
      });
      unlisten = bucket.listen((value) => {
        if (gathered.length === 0) setTimeout(tellGathered, GATHERED_MS);
        if (gathered.length < GATHERED_MAX) gathered.push(value);
        else missed = 'unknown';
      });
      void noteLosses(nc);
    },
    () => undefined,
  );

  function tellGathered(): void {
    const values = gathered;
    gathered = [];
    tell(values);
  }

  async function noteLosses(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status())
      if (type === 'disconnect' || type === 'slowConsumer') missed = 'unknown';
  }

  /**
   * Reads the record. Asks only if a relay says that the bucket is complete: version 2.9 of NATS crashes if it is asked for a message while it
   * creates the stream.
   */
  async function completeRecord() {
    if (nats.awayMs() > 0) throw new Error('NATS is not connected');
    if (isSilent()) throw new Error('the relay gives no sign of life');
    if (!beats?.last?.generation)
      throw new Error('the bucket in NATS is not complete: the relay is filling it');
    const { record } = await nats.bucket().record();
    if (!record?.is_complete) throw new Error('the bucket in NATS is not complete: the relay is filling it');
    return record;
  }

  const isSilent = () => beats === null || monotonicClock.now() - beats.heardAt > SILENT_MS;

  const valuesOf = (messages: readonly BucketMessage[]) => messages.flatMap(({ value }) => value ?? []);

  return {
    clock: {
      now: () => (beats?.last ? beats.last.now + monotonicClock.now() - beats.heardAt : systemClock.now()),
    },
    async installation() {
      await begun.promise;
      return (await completeRecord()).installation;
    },
    async mark() {
      const sequence = await nats.bucket().lastSequence();
      // A record that is written after the first answer is read again as a change.
      ({ generation } = await completeRecord());
      return { source: generation, snapshot: String(sequence) };
    },
    async *changes(since) {
      generation ??= (await completeRecord()).generation;
      if (since.source !== generation) return null;
      let after = Number(since.snapshot);
      const beat = beats?.last ?? null;
      // While the relay fills the bucket, it names no generation, and sends changes as before.
      if (beat?.generation && beat.generation !== generation) generation = null;
      if (isSilent() || generation === null || (beat?.sequence ?? 0) > after) {
        const isUsable = reader?.after === after && monotonicClock.now() - reader.usedAt < READER_MS;
        const used =
          reader !== null && isUsable
            ? reader
            : { after, usedAt: 0, ...(await nats.bucket().openReader(after + 1)) };
        // After an error, the next call opens a new reader.
        reader = null;
        for await (const messages of used.read()) {
          const record = messages.findLast((message) => message.record !== null)?.record;
          generation = record === undefined ? generation : (record?.generation ?? null);
          yield valuesOf(messages);
          used.after = messages.at(-1)?.sequence ?? used.after;
        }
        used.usedAt = monotonicClock.now();
        reader = used;
        ({ after } = used);
      }
      if (generation !== since.source) return null;
      if (beat === null || isSilent()) throw new Error('the relay gives no sign of life');
      if (after < beat.sequence) throw new Error('the NATS server lags behind the bucket');
      if (missed === 'unknown' || beat.term !== term) missed = beat;
      ({ term } = beat);
      // A relay without a generation does not know yet what the bucket lacks.
      if (missed !== null && (beat.generation === null || missed.told > beat.stored))
        throw new Error('the bucket in NATS lacks changes');
      missed = null;
      return { source: generation, snapshot: String(after) };
    },
    async *values() {
      for await (const messages of nats.bucket().readAll()) yield valuesOf(messages);
    },
    async *urgent() {
      const holds = await nats.bucket().openReader(1, { prefix: 'hold.' });
      for await (const messages of holds.read()) yield valuesOf(messages);
    },
    async *versions() {
      const index = createKnownVersions();
      try {
        for await (const messages of nats.bucket().readAll({ headersOnly: true }))
          index.add(messages.flatMap(({ value, ...at }) => (value === null ? [] : { ...value, ...at })));
        yield* index.pages(VERSIONS_PAGE);
      } finally {
        index.close();
      }
    },
    async find(keys) {
      const found = await Promise.all(keys.map((key) => nats.bucket().last(key)));
      const values = found.flatMap((message) => message?.value ?? []);
      // A bucket that was created again lacks keys until the relay has filled it.
      if (values.length < keys.length) await completeRecord();
      return new Map(values.map((value) => [value.key, value]));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(late);
      begun.resolve();
      unlisten();
      beats?.close();
    },
  };
}
