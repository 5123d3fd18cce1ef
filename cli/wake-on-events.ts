import type { Client } from '../shared/client/client.ts';
import { ApiError } from '../shared/client/client-error.ts';
import { timer } from '../shared/client/request.ts';
import type { Pacer } from './events/pacer.ts';

/** The pause before another stream, so that a server that refuses each one is not asked at once. */
const RESTART_MS = 1_000;

/**
 * Ends the poller's pauses as soon as the server's event stream announces an event. The poller reads the event itself from the list.
 * If the server has no stream, or refuses another one, the poller simply keeps polling.
 * Returns when the pacer stops or the server refuses the stream. Never rejects with an `ApiError`.
 */
export async function wakeOnEvents(client: Client, { hurry, signal }: Pacer): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const _ of client.events.follow({ signal })) hurry();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // 422 means that the position to resume from is unknown, for example after an emulator reset: start a new stream.
      if (error.status !== 422) return;
      await timer(RESTART_MS, signal);
    }
  }
}
