import { setPageClock } from '../../../shared/dashboard/browser/page-clock.ts';
import { refresh } from '../../../shared/dashboard/browser/reading.ts';
import { createSharedValue, useSharedValue } from '../../../shared/dashboard/browser/shared-value.ts';
import type { ChangeMessage } from '../responses.ts';

/** The state of the connection to the emulator, and the content of the newest message of the event stream. */
export interface Live {
  connection: 'connecting' | 'live' | 'lost';
  clock: ChangeMessage['clock'] | null;
  nextDueAt: string | null;
}

const live = createSharedValue<Live>({ connection: 'connecting', clock: null, nextDueAt: null });

export function useLive(): Live {
  return useSharedValue(live);
}

/** Follows the event stream only while the page is visible, because browsers allow only six connections to a server across all tabs. */
export function followChanges(): void {
  let stream: EventSource | null = null;

  function open(): void {
    if (stream !== null || document.hidden) return;
    stream = new EventSource('/_emulator/stream');
    stream.addEventListener('message', ({ data }) => {
      const { clock, next_due_at } = JSON.parse(data) as ChangeMessage;
      live.set({ connection: 'live', clock, nextDueAt: next_due_at });
      setPageClock(Date.parse(clock.now), clock.mode !== 'frozen');
      void refresh();
    });
    // The browser reconnects by itself, unless the response was not an event stream.
    stream.addEventListener('error', () => {
      live.set({ ...live.get(), connection: 'lost' });
      if (stream?.readyState !== EventSource.CLOSED) return;
      close();
      setTimeout(open, RETRY_MS);
    });
  }

  function close(): void {
    stream?.close();
    stream = null;
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  open();
}

const RETRY_MS = 1000;
