import type { ClockReading } from '../responses.ts';
import { createStore, useStore } from './store.ts';

/** The emulator's state as its event stream last reported it. */
export interface Live {
  connection: 'connecting' | 'live' | 'lost';
  /** Counts changes. Components fetch their data again when it increases. */
  revision: number;
  clock: ClockReading | null;
  /** Time of this page (`performance.now`) at which the clock was received. */
  heard_at: number;
}

const live = createStore<Live>({ connection: 'connecting', revision: 0, clock: null, heard_at: 0 });

export function useLive(): Live {
  return useStore(live);
}

/** Makes all components fetch their data again, without waiting for the event stream. */
export function refresh(): void {
  live.set({ ...live.get(), revision: live.get().revision + 1 });
}

/** Returns the emulator's time in milliseconds; null until it is known. */
export function emulatorNow(): number | null {
  const { clock, heard_at } = live.get();
  if (clock === null) return null;
  const runs = clock.mode !== 'frozen';
  return Date.parse(clock.now) + (runs ? performance.now() - heard_at : 0);
}

/** Follows the event stream while the page is visible. Browsers allow only six connections per server across all tabs. */
export function followChanges(): void {
  let stream: EventSource | null = null;

  function open(): void {
    if (stream !== null || document.hidden) return;
    stream = new EventSource('/_emulator/ui/stream');
    stream.addEventListener('message', ({ data }) => {
      const { clock } = JSON.parse(data) as { clock: ClockReading };
      const revision = live.get().revision + 1;
      live.set({ connection: 'live', revision, clock, heard_at: performance.now() });
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
