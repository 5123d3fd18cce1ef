import type { Client } from '../shared/client/client.ts';
import { ApiError } from '../shared/client/client-error.ts';
import type { Pacer } from './events/pacer.ts';

/**
 * Ends the pauses of whoever polls the events as soon as the server's stream tells of one. It only rings: what came is read from the
 * list, so a server without the stream, or one that gives no more of them, is polled and nothing else changes.
 * @throws never; ends with the pacer.
 */
export async function ringOnEvents(client: Client, { hurry, signal }: Pacer): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const _ of client.events.follow({ signal })) hurry();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Only the place to go on from can be wrong, after a reset of the emulator say: it begins anew.
      if (error.status !== 422) return;
    }
  }
}
