import { Socket } from 'node:net';

/**
 * Sockets to a database, each with an end. After a failover without a reset the other side is silent for good: TCP itself
 * would wait a quarter of an hour for an answer, and forever where nothing was asked.
 */
export interface DatabaseSockets {
  /** For the driver's `stream`; under TLS it stays the one that is watched. */
  open(): Socket;
  /** Does what ends them in order, then destroys what is open still. Resolves within 3 s. */
  close(end: () => Promise<unknown>): Promise<void>;
}

const CLOSE_MS = 3000;

/**
 * @param silence_ms_max after this without a byte either way, a socket is destroyed with ETIMEDOUT: longer than the longest answer
 *   takes. 0: it may be silent.
 */
export function createDatabaseSockets(silence_ms_max: number): DatabaseSockets {
  /** Those that are open, and when each has closed. */
  const opened = new Map<Socket, Promise<void>>();
  return {
    open() {
      const socket = new Socket();
      socket.setTimeout(silence_ms_max, () => socket.destroy(new SilentDatabaseError(silence_ms_max)));
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => {
          opened.delete(socket);
          resolve();
        });
      });
      opened.set(socket, closed);
      return socket;
    },
    async close(end) {
      const given_up = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        for (const socket of opened.keys()) socket.destroy();
        given_up.resolve();
      }, CLOSE_MS);
      try {
        await Promise.race([end().then(() => Promise.all(opened.values())), given_up.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The code of a socket's own time-out: the database is away (`store/unavailable.ts`). */
class SilentDatabaseError extends Error {
  override name = 'SilentDatabaseError';
  readonly code = 'ETIMEDOUT';

  constructor(silence_ms: number) {
    super(`the database said nothing for ${silence_ms} ms`);
  }
}
