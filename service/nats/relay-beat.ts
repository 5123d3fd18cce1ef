import type { NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { jsonOrNull } from '../../shared/core/text/json-or-null.ts';

const count = z.number().int().min(0);
const beatSchema = z.object({
  /** The time of the database. */
  now: count,
  /** The generation of the bucket; null while the bucket is not complete. */
  generation: z.string().nullable(),
  /** The sequence of the last message in the bucket. */
  sequence: count,
  /** Identifies the relay to which the following counts belong. */
  term: z.string(),
  /** The relay has sent `told` changes to edges, and the bucket has `stored` of them. */
  told: count,
  stored: count,
});

/** A heartbeat of the relay, with the state of the bucket. */
export type RelayBeat = z.output<typeof beatSchema>;

export function sendBeat(nc: NatsConnection, bucket: string, beat: RelayBeat): void {
  nc.publish(subjectOf(bucket), JSON.stringify(beat));
}

export type RelayBeats = ReturnType<typeof listenToBeats>;

/** Listens to the relay. `heardAt` is the time of the last beat by the monotonic clock. */
export function listenToBeats(nc: NatsConnection, bucket: string, onBeat: (beat: RelayBeat) => void) {
  const heard = nc.subscribe(subjectOf(bucket), {
    callback(error, message) {
      const read = beatSchema.safeParse(error === null ? jsonOrNull(message.string()) : null);
      if (!read.success) return;
      Object.assign(state, { last: read.data, heardAt: monotonicClock.now() });
      onBeat(read.data);
    },
  });
  const state = {
    last: null as RelayBeat | null,
    heardAt: Number.NEGATIVE_INFINITY,
    close: () => heard.unsubscribe(),
  };
  return state;
}

const subjectOf = (bucket: string) => `${bucket}.relay`;
