import pg from 'pg';
import type { Log } from '../../shared/ports/log.ts';
import { createLocalNotices, type Notice, type Notices } from '../../shared/ports/notices.ts';
import { createDatabaseSockets } from './database-sockets.ts';

/** Notices between nodes. Losing one is never wrong: what they speed up is polled underneath (`docs/idempotency-and-rates.md`, `CONTRIBUTING.md`). */
export interface PostgresNotices extends Notices {
  close(): Promise<void>;
}

export interface PostgresNoticesOptions {
  /** For LISTEN and NOTIFY; a pooler in transaction mode cannot carry the first, and nodes then poll. */
  connection_string: string;
  log: Log;
  /** Called when notices may have been lost: whatever is cached is as good as unknown. */
  on_gap: () => void;
  /** How often the database is asked whether it is there. */
  ping_ms?: number;
  /** After this without a word from it, the connection is given up. */
  silence_ms_max?: number;
}

const CHANNEL = 'nameplate';
/** Notices of a burst go out together: a NOTIFY of each would cost more than the work it tells of. */
const DEBOUNCE_MS = 5;
/** Postgres takes 8000 bytes a notice. */
const PAYLOAD_NOTICES_MAX = 50;
const RECONNECT_MS = 1000;
const CONNECT_MS = 5000;
/** Whoever only listens would never notice that nobody is there. */
const PING_MS = 2000;
const SILENCE_MS_MAX = 7000;

/** Hears and tells of changes over one connection of its own, which it opens again by itself when it breaks. */
export function openPostgresNotices(options: PostgresNoticesOptions): PostgresNotices {
  const { connection_string, log, on_gap, ping_ms = PING_MS } = options;
  const sockets = createDatabaseSockets(options.silence_ms_max ?? SILENCE_MS_MAX);
  const local = createLocalNotices();
  let opened: pg.Client | null = null;
  /** The one that is opened, once it listens. */
  let client: pg.Client | null = null;
  let closing = false;
  /** By their text: the same one twice tells nothing more. */
  let waiting = new Map<string, Notice>();
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> = Promise.resolve();
  let pinging = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: connection_string,
      connectionTimeoutMillis: CONNECT_MS,
      stream: sockets.open,
    });
    opened = next;
    next.on('notification', ({ payload }) => hear(payload));
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, null));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
    } catch (error) {
      lose(next, error);
    }
  }

  /** What happened while nobody listened is unknown. */
  function lose(lost: pg.Client, error: unknown): void {
    // Whatever it says after its end: it is opened again once.
    if (opened !== lost) return;
    opened = null;
    client = null;
    if (closing) return;
    if (error !== null) log.warn({ error }, 'the connection for notices was lost; it is opened again');
    on_gap();
    lost.end().catch(() => undefined); // It is broken already.
    setTimeout(() => {
      if (!closing) connecting = connect();
    }, RECONNECT_MS).unref();
  }

  /** One at a time: the silence after one that is not answered ends the connection. */
  async function ping(): Promise<void> {
    if (pinging || client === null) return;
    pinging = true;
    // What goes wrong with it, `lose` is told.
    await client.query('select 1').catch(() => undefined);
    pinging = false;
  }

  function hear(payload: string | undefined): void {
    for (const notice of readPayload(payload)) local.publish(notice);
  }

  /** One burst after the other, so that whoever closes waits for the last. */
  function tell(): Promise<void> {
    timer = null;
    telling = telling.then(tellWaiting);
    return telling;
  }

  async function tellWaiting(): Promise<void> {
    const batch = [...waiting.values()];
    waiting = new Map();
    for (let from = 0; from < batch.length; from += PAYLOAD_NOTICES_MAX) {
      const payload = JSON.stringify(batch.slice(from, from + PAYLOAD_NOTICES_MAX));
      await client?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch((error: unknown) => {
        log.warn({ error }, 'a notice could not be sent; other nodes will find out by polling');
      });
    }
  }

  let connecting = connect();
  const pings = setInterval(() => void ping(), ping_ms).unref();
  return {
    subscribe: local.subscribe,
    publish(notice) {
      local.publish(notice);
      waiting.set(JSON.stringify(notice), notice);
      timer ??= setTimeout(() => void tell(), DEBOUNCE_MS);
    },
    async close() {
      closing = true;
      clearInterval(pings);
      if (timer !== null) clearTimeout(timer);
      await sockets.close(async () => {
        // A command of the operator ends right after its act: what it published must still be told.
        await connecting;
        await tell();
        await client?.end();
      });
    },
  };
}

/** Anybody who can NOTIFY on the database can say anything: what is not a list of notices is dropped. */
function readPayload(payload: string | undefined): Notice[] {
  try {
    const read: unknown = JSON.parse(payload ?? '[]');
    return Array.isArray(read) ? read.filter((each): each is Notice => typeof each?.kind === 'string') : [];
  } catch {
    return []; // Not ours.
  }
}
