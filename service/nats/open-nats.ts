import type { NatsConnection } from '@nats-io/transport-node';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { connectNats, inboxOf, type NatsOptions } from './connect-nats.ts';

/** A node's connection to NATS, which may open after its start. */
export interface OpenedNats {
  /** Name of the bucket. */
  name: string;
  /** Resolves once the first connection is open. Rejects if `close` is called before. */
  opened: Promise<{ nc: NatsConnection; bucket: Bucket }>;
  /** Returns how often the connection broke. */
  breaks(): number;
  /** Returns for how long there has been no connection, in milliseconds. */
  awayMs(): number;
  /** @throws Error if no connection has been open yet. */
  connection(): NatsConnection;
  bucket(): Bucket;
  close(): Promise<void>;
}

/** Connects in the background, so that an edge with a replica serves while NATS is away. */
export function openNats(options: NatsOptions): OpenedNats {
  const ending = new AbortController();
  let found: { nc: NatsConnection; bucket: Bucket } | null = null;
  let breaks = 0;
  let awaySince: number | null = monotonicClock.now();

  async function open() {
    const nc = await connectNats(options, ending.signal);
    found = {
      nc,
      bucket: await openBucket(nc, options.bucket, {
        inboxPrefix: inboxOf(options.node),
        domain: options.domain,
      }),
    };
    awaySince = null;
    void followStatus(nc);
    return found;
  }

  async function followStatus(nc: NatsConnection): Promise<void> {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') {
        breaks += 1;
        awaySince ??= monotonicClock.now();
      } else if (type === 'reconnect') awaySince = null;
    }
  }

  function connected(): { nc: NatsConnection; bucket: Bucket } {
    if (found === null) throw new Error('NATS is not connected yet');
    return found;
  }

  const opened = open();
  opened.catch(() => undefined);
  return {
    name: options.bucket,
    opened,
    breaks: () => breaks,
    awayMs: () => (awaySince === null ? 0 : monotonicClock.now() - awaySince),
    connection: () => connected().nc,
    bucket: () => connected().bucket,
    async close() {
      ending.abort();
      await (await opened.catch(() => null))?.nc.close();
    },
  };
}
