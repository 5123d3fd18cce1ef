import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import type { Server } from 'node:net';

/** How many connections of nginx wait to be accepted. Each visitor who needs a lookup opens one, and the system refuses those beyond it. */
const BACKLOG = 4096;

/**
 * Listens on a socket file that a predecessor may still have. Node removes the file that it listened on when it closes, so the new
 * socket first gets a file name of its own.
 */
export async function listenAt(server: Server, file: string): Promise<void> {
  const own = `${file}.${randomUUID().slice(0, 8)}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: own, exclusive: true, backlog: BACKLOG }, resolve);
  });
  renameSync(own, file);
}
