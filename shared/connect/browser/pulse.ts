/** Data from the server about the state of the page. */
export interface Pulse {
  /** The path from which to request a newer version of the page. */
  path: string;
  /** The time between two refreshes; null if the page will not change. */
  refresh_ms: number | null;
  title: string;
  /** The server's time in milliseconds. `heard_at` is when the server's time arrived, by this machine's clock. */
  now: number;
  heard_at: number;
}

let heard: { revision: string; now: string; at: number } | undefined;

export function pulse(): Pulse {
  const {
    path = '',
    revision = '',
    refresh = '',
    title = '',
    now = '',
  } = document.getElementById('pulse')?.dataset ?? {};
  if (heard?.revision !== revision || heard.now !== now) heard = { revision, now, at: Date.now() };
  return {
    path,
    refresh_ms: refresh === '' ? null : Number(refresh) * 1000,
    title,
    now: Date.parse(now),
    heard_at: heard.at,
  };
}
