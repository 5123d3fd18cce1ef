import { AckPolicy, DeliverPolicy, DiscardPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  createInbox,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  nanos,
  headers as newHeaders,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import type { SealedValue } from '../../shared/core/edge/edge-value.ts';
import { type BucketMessage, type BucketRecord, headersOf, messageOf, RECORD } from './bucket-message.ts';

/** The bucket had another message than expected. */
export class ConflictError extends Error {
  constructor(key: string) {
    super(`another relay has written ${key}`);
    this.name = 'ConflictError';
  }
}

/** No server accepts messages for the bucket: it is missing, its servers elect a leader, or they have lost its subjects. */
export class RefusedError extends Error {
  constructor(cause: unknown) {
    super('no NATS server accepts messages for the bucket', { cause });
    this.name = 'RefusedError';
  }
}

export interface BucketOptions {
  /** The beginning of the subjects at which this node receives replies. */
  inboxPrefix: string;
  /** The JetStream domain of the servers that have the bucket; null if they have none. */
  domain: string | null;
}

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

const HEADERS_BYTES_MAX = 1_024;
const BATCH = 500;
/** Without a response from JetStream for this time, a request fails. */
const TIMEOUT_MS = 2_000;
/** A server with a million messages takes seconds to create a reader with a filter. */
const CREATE_TIMEOUT_MS = 10_000;
/** The server deletes a consumer that gets no request for this time. */
const CONSUMER_MS = 30_000;
/** Codes of errors in responses of JetStream. */
const [WRONG_SEQUENCE, STREAM_NOT_FOUND] = [10_071, 10_059];
/** Too few servers for the copies of a stream: in a cluster, and without one. */
const TOO_FEW_SERVERS: ReadonlySet<number | undefined> = new Set([10_005, 10_074]);

/**
 * Opens the bucket with the values of edges: a stream with the layout of a key/value store (NATS ADR-8), so the tools of NATS can read it. A
 * deleted value is an empty message, not a deletion of the key, because edges need its version. `*` cannot be in a subject, so `=` stands for
 * it.
 */
export async function openBucket(nc: NatsConnection, name: string, { inboxPrefix, domain }: BucketOptions) {
  const api = domain === null ? '$JS.API' : `$JS.${domain}.API`;
  const stream = `KV_${name}`;
  const prefix = `$KV.${name}.`;
  const plain = `${name}.value.`;
  const client = jetstream(nc, { apiPrefix: api, timeout: TIMEOUT_MS });
  const manager = await jetstreamManager(nc, { apiPrefix: api, timeout: TIMEOUT_MS, checkAPI: false });
  const patient = await jetstreamManager(nc, { apiPrefix: api, timeout: CREATE_TIMEOUT_MS, checkAPI: false });

  function subjectOf(key: string, of = prefix): string {
    return of + key.replaceAll('*', '=');
  }

  /** Returns the bytes of a value. Replaces a value that is too long for NATS with one that edges report as unreadable. */
  function bytesOf({ value }: SealedValue): Uint8Array {
    const bytes = value ?? new Uint8Array();
    const bytesMax = (nc.info?.max_payload ?? 0) - HEADERS_BYTES_MAX;
    return bytes.length > bytesMax ? Uint8Array.of(0) : bytes;
  }

  /** Asks a consumer for the next messages that exist now. @returns them, and whether more exist. */
  function nextOf(consumer: string): Promise<{ messages: BucketMessage[]; hasMore: boolean }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      messages: BucketMessage[];
      hasMore: boolean;
    }>();
    const messages: BucketMessage[] = [];
    const end = (hasMore: boolean) => {
      inbox.unsubscribe();
      clearTimeout(timer);
      resolve({ messages, hasMore });
    };
    const fail = (error: Error) => {
      inbox.unsubscribe();
      clearTimeout(timer);
      reject(error);
    };
    const read = (error: Error | null, message: Msg) => {
      if (error !== null) return fail(error);
      const code = message.headers?.code ?? 0;
      // 404 and 408: no messages, or no more of them.
      if (code === 404 || code === 408) return end(false);
      if (code !== 0)
        return fail(new Error(`JetStream responds with ${code} ${message.headers?.description}`));
      const [sequence, pending] = placeOf(message);
      messages.push(messageOf(message.subject.slice(prefix.length), sequence, message.headers, message.data));
      timer.refresh();
      if (pending === 0) end(false);
      else if (messages.length === BATCH) end(true);
    };
    const inbox = nc.subscribe(createInbox(inboxPrefix), { callback: read });
    const timer = setTimeout(() => fail(new Error('JetStream does not respond')), TIMEOUT_MS);
    nc.publish(
      `${api}.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
      JSON.stringify({ batch: BATCH, no_wait: true }),
      {
        reply: inbox.getSubject(),
      },
    );
    return promise;
  }

  /**
   * Opens a reader of the messages from a sequence on.
   * @param of.prefix the beginning of the keys to read, up to a dot. @param of.headersOnly whether the messages lack their bytes.
   */
  async function openReader(from: number, of: { prefix?: string; headersOnly?: boolean } = {}) {
    // A server that has just failed may get the reader, so without a filter, the wait is short.
    const made = await (of.prefix ? patient : manager).consumers.add(stream, {
      name: createInbox('reader').replaceAll('.', '-'),
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, from),
      // With a filter, the server reads the names of all messages first.
      ...(of.prefix && { filter_subject: `${prefix}${of.prefix}>` }),
      headers_only: of.headersOnly ?? false,
      inactive_threshold: nanos(CONSUMER_MS),
      mem_storage: true,
      num_replicas: 1,
    });
    return {
      /** Reads the messages that exist now, in batches. A later call continues after them. */
      async *read(): AsyncGenerator<BucketMessage[]> {
        for (let hasMore = true; hasMore; ) {
          const next = await nextOf(made.name);
          if (next.messages.length > 0) yield next.messages;
          hasMore = next.hasMore;
        }
      },
    };
  }

  async function write(key: string, data: Uint8Array, headers: MsgHdrs, expected: number): Promise<number> {
    try {
      const ack = await client.publish(subjectOf(key), data, {
        headers,
        expect: { lastSubjectSequence: expected },
        timeout: TIMEOUT_MS,
      });
      return ack.seq;
    } catch (error) {
      if (codeOf(error) === WRONG_SEQUENCE) throw new ConflictError(key);
      const { cause } = error as Error;
      throw cause instanceof RequestError && cause.isNoResponders() ? new RefusedError(error) : error;
    }
  }

  async function last(key: string): Promise<BucketMessage | null> {
    const found = await manager.streams.getMessage(stream, { last_by_subj: subjectOf(key) });
    return found && messageOf(key.replaceAll('*', '='), found.seq, found.header, found.data);
  }

  /** Returns the sequence of the last message; null if there is no bucket. */
  async function lastSequence(): Promise<number | null> {
    try {
      return (await manager.streams.info(stream)).state.last_seq;
    } catch (error) {
      if (codeOf(error) === STREAM_NOT_FOUND) return null;
      // A server without JetStream does not respond either.
      if (!(error instanceof TimeoutError)) throw error;
      throw new Error(
        'JetStream does not respond: the NATS servers are away, or their configuration lacks it',
        {
          cause: error,
        },
      );
    }
  }

  /** Reads all messages. @throws Error if a server that lags behind gives only a part of them. */
  async function* readAll(of: { headersOnly?: boolean } = {}): AsyncGenerator<BucketMessage[]> {
    const until = (await lastSequence()) ?? 0;
    let read = 0;
    for await (const messages of (await openReader(1, of)).read()) {
      yield messages;
      read = messages.at(-1)?.sequence ?? read;
    }
    if (read < until) throw new Error('the NATS server lags behind the bucket');
  }

  return {
    openReader,
    readAll,
    lastSequence,
    last,
    /** Returns the record with its sequence; 0 if there is none. */
    async record(): Promise<{ record: BucketRecord | null; sequence: number }> {
      const found = await last(RECORD);
      return { record: found?.record ?? null, sequence: found?.sequence ?? 0 };
    },
    /** Creates the bucket. @param replicas the number of servers that keep a copy. */
    async create(replicas: number): Promise<void> {
      try {
        await manager.streams.add({
          name: stream,
          subjects: [`${prefix}>`],
          num_replicas: replicas,
          max_msgs_per_subject: 1,
          discard: DiscardPolicy.New,
          deny_delete: true,
        });
      } catch (error) {
        if (!TOO_FEW_SERVERS.has(codeOf(error))) throw error;
        throw new Error(
          `there are too few NATS servers for ${replicas} copies of the bucket: start them, or set NAMEPLATE_NATS_REPLICAS`,
          { cause: error },
        );
      }
    },
    /**
     * Writes a value. @param expected the sequence of the message that it replaces; 0 if there must be none.
     * @returns the sequence of the new message. @throws ConflictError if the bucket has another message. @throws RefusedError
     */
    put: (value: SealedValue, expected: number) =>
      write(value.key, bytesOf(value), headersOf(value), expected),
    /** Writes the record. @param expected as for `put`. */
    putRecord: (record: BucketRecord, expected: number) =>
      write(RECORD, new TextEncoder().encode(JSON.stringify(record)), newHeaders(), expected),
    /** Removes the bucket with all its values. */
    async remove(): Promise<void> {
      await manager.streams.delete(stream);
    },
    /** Removes a value without a trace, unless another message has replaced it. @param sequence the sequence of its message. */
    async purge(key: string, sequence: number): Promise<void> {
      await manager.streams.purge(stream, { filter: subjectOf(key), seq: sequence + 1 });
    },
    /** Sends a value to the edges that are connected now, and not to the bucket. */
    tell(value: SealedValue): void {
      nc.publish(subjectOf(value.key, plain), bytesOf(value), { headers: headersOf(value) });
    },
    /** Listens to values from `tell`. @returns a function that ends this. */
    listen(listener: (value: SealedValue) => void): () => void {
      const heard = nc.subscribe(`${plain}>`, {
        callback(error, { subject, headers, data }) {
          const message = error === null ? messageOf(subject.slice(plain.length), 0, headers, data) : null;
          if (message?.value) listener(message.value);
        },
      });
      return () => heard.unsubscribe();
    },
  };
}

/** Returns the sequence of a delivered message, and the number of messages after it (NATS ADR-15). */
function placeOf({ reply = '' }: Msg): [sequence: number, pending: number] {
  const tokens = reply.split('.');
  const at = tokens.length > 9 ? 2 : 0;
  return [Number(tokens[5 + at]), Number(tokens[8 + at])];
}

function codeOf(error: unknown): number | undefined {
  return (error as { code?: number }).code;
}
