import pg from 'pg';
import { createLocalNotices } from '../../shared/adapters/system.ts';
import type { Log, Notice, Notices } from '../../shared/ports/system.ts';
import { createDatabaseSockets } from './database-sockets.ts';

/**
 * Sends notices between nodes. A lost notice does no harm, because polling finds the same changes later (`docs/idempotency-and-rates.md`,
 * `CONTRIBUTING.md`).
 */
export interface PostgresNotices extends Notices {
  close(): Promise<void>;
}

export interface PostgresNoticesOptions {
  /** Address of the database for LISTEN and NOTIFY. A pooler in transaction mode does not support LISTEN, so nodes then rely on polling. */
  connectionString: string;
  log: Log;
  /** Called when notices may have been lost, so that the caller can clear its caches. */
  onGap: () => void;
  /** Interval of pings to the database. */
  pingMs?: number;
  /** The connection is closed if the database sends nothing for this long. */
  silenceMsMax?: number;
}

const CHANNEL = 'nameplate';
/** How long notices are collected for one NOTIFY. A NOTIFY for each notice would cost more than the work that the notice announces. */
const DEBOUNCE_MS = 5;
/** The maximum number of notices in one NOTIFY, because Postgres limits the payload of a NOTIFY to 8000 bytes. */
const PAYLOAD_NOTICES_MAX = 50;
const RECONNECT_MS = 1000;
const CONNECT_MS = 5000;
/** The interval of pings. Without pings, a connection that only listens would never detect that the database is gone. */
const PING_MS = 2000;
const SILENCE_MS_MAX = 7000;

/** Sends and receives notices over one connection of its own, and reconnects when it breaks. */
export function openPostgresNotices(options: PostgresNoticesOptions): PostgresNotices {
  const { connectionString, log, onGap, pingMs = PING_MS } = options;
  const sockets = createDatabaseSockets(options.silenceMsMax ?? SILENCE_MS_MAX);
  const local = createLocalNotices();
  let opened: pg.Client | null = null;
  /** The current client. Null until the client listens. */
  let client: pg.Client | null = null;
  let closing = false;
  /** The last problem of the connection; null once it listens again. */
  let problem: string | null = null;
  /** The notices to send, keyed by their text, so that a duplicate is sent only once. */
  let waiting = new Map<string, Notice>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let pinging = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_MS,
      stream: sockets.open,
    });
    opened = next;
    next.on('notification', ({ payload }) => receive(payload));
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next, null));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
      if (problem !== null) log.info({}, 'the connection for notices works again');
      problem = null;
    } catch (error) {
      lose(next, error);
    }
  }

  /** Reports a gap and reconnects, because notices during the break are lost. */
  function lose(lost: pg.Client, error: unknown): void {
    // A client may report several errors when it ends, but must reconnect only once.
    if (opened !== lost) return;
    opened = null;
    client = null;
    if (closing) return;
    // While the database is away, each attempt has the same problem.
    const text = error === null ? problem : String(error);
    if (text !== problem) log.warn({ error }, 'the connection for notices was lost; reconnecting');
    problem = text;
    onGap();
    lost.end().catch(() => undefined); // The connection is already broken.
    setTimeout(() => {
      if (!closing) connecting = connect();
    }, RECONNECT_MS).unref();
  }

  /** Sends a ping, unless the previous ping still waits for its response. Without a response, the socket's timeout ends the connection. */
  async function ping(): Promise<void> {
    if (pinging || client === null) return;
    pinging = true;
    // `lose` handles the error.
    await client.query('select 1').catch(() => undefined);
    pinging = false;
  }

  function receive(payload: string | undefined): void {
    for (const notice of readPayload(payload)) local.publish(notice);
  }

  /** Sends the collected notices after the previous batch. Returns a promise, so that `close` can wait for the last batch. */
  function send(): Promise<void> {
    timer = null;
    sending = sending.then(sendWaiting);
    return sending;
  }

  async function sendWaiting(): Promise<void> {
    await connecting;
    const batch = [...waiting.values()];
    waiting = new Map();
    for (let from = 0; from < batch.length; from += PAYLOAD_NOTICES_MAX) {
      const payload = JSON.stringify(batch.slice(from, from + PAYLOAD_NOTICES_MAX));
      await client?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch((error: unknown) => {
        log.warn({ error }, 'could not send a notice; other nodes find the change by polling');
      });
    }
  }

  let connecting = connect();
  const pings = setInterval(() => void ping(), pingMs).unref();
  return {
    subscribe: local.subscribe,
    publish(notice) {
      local.publish(notice);
      waiting.set(JSON.stringify(notice), notice);
      timer ??= setTimeout(() => void send(), DEBOUNCE_MS);
    },
    async close() {
      closing = true;
      clearInterval(pings);
      if (timer !== null) clearTimeout(timer);
      await sockets.close(async () => {
        // Send pending notices first, because an operator command exits right after its change.
        await send();
        await client?.end();
      });
    },
  };
}

/** Parses the payload of a NOTIFY. Drops anything that is not a list of notices, because any database user can send a NOTIFY. */
function readPayload(payload: string | undefined): Notice[] {
  try {
    const read: unknown = JSON.parse(payload ?? '[]');
    return Array.isArray(read) ? read.filter((each): each is Notice => typeof each?.kind === 'string') : [];
  } catch {
    return []; // Not a payload of a node.
  }
}
