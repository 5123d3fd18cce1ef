import type { ClockReading } from '../answers.ts';
import { createStore, useStore } from './store.ts';

/** Where the emulator stands, as its stream told last. */
export interface Live {
  connection: 'connecting' | 'live' | 'lost';
  /** Counts the changes: whoever shows something asks for it again. */
  beat: number;
  clock: ClockReading | null;
  /** When the clock was read, by this page's own. */
  heard_at: number;
}

const live = createStore<Live>({ connection: 'connecting', beat: 0, clock: null, heard_at: 0 });

export function useLive(): Live {
  return useStore(live);
}

/** Asks everything again, without waiting for the stream to tell. */
export function refresh(): void {
  live.set({ ...live.get(), beat: live.get().beat + 1 });
}

/** The emulator's time in milliseconds; null before it is known. */
export function emulatorNow(): number | null {
  const { clock, heard_at } = live.get();
  if (clock === null) return null;
  const runs = clock.mode !== 'frozen';
  return Date.parse(clock.now) + (runs ? performance.now() - heard_at : 0);
}

/** Follows while the page is looked at: a browser has only six connections to one server, for all its tabs. */
export function followChanges(): void {
  let stream: EventSource | null = null;

  function open(): void {
    if (stream !== null || document.hidden) return;
    stream = new EventSource('/_emulator/ui/stream');
    stream.addEventListener('message', ({ data }) => {
      const { clock } = JSON.parse(data) as { clock: ClockReading };
      const beat = live.get().beat + 1;
      live.set({ connection: 'live', beat, clock, heard_at: performance.now() });
    });
    // The browser tries again by itself, unless the answer was no stream.
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
