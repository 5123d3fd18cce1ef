import { Socket } from 'node:net';

/**
 * Creates sockets to the database that do not hang. After a failover without a TCP reset, the other side stays silent. Without a timeout,
 * TCP would then wait 15 minutes for a response, or forever if nothing was sent.
 */
export interface DatabaseSockets {
  /** Creates a socket for the driver's `stream` option. The timeout still applies after the driver has added TLS to the socket. */
  open(): Socket;
  /** Calls `end` to close the sockets cleanly, then destroys the sockets that are still open. Resolves within 3 s. */
  close(end: () => Promise<unknown>): Promise<void>;
}

const CLOSE_MS = 3000;

/**
 * @param silenceMsMax a socket without a byte in either direction for this long is destroyed with ETIMEDOUT. The value must exceed the time
 * of the slowest response. 0 means no limit.
 */
export function createDatabaseSockets(silenceMsMax: number): DatabaseSockets {
  /** The open sockets, each with a promise that resolves when the socket is closed. */
  const opened = new Map<Socket, Promise<void>>();
  return {
    open() {
      const socket = new Socket();
      socket.setTimeout(silenceMsMax, () => socket.destroy(new SilentDatabaseError(silenceMsMax)));
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
      const givenUp = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        for (const socket of opened.keys()) socket.destroy();
        givenUp.resolve();
      }, CLOSE_MS);
      try {
        await Promise.race([end().then(() => Promise.all(opened.values())), givenUp.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The error of a silent connection. Its code `ETIMEDOUT` makes `store/unavailable.ts` treat the database as unavailable. */
class SilentDatabaseError extends Error {
  override name = 'SilentDatabaseError';
  readonly code = 'ETIMEDOUT';

  constructor(silenceMs: number) {
    super(`the database sent nothing for ${silenceMs} ms`);
  }
}
