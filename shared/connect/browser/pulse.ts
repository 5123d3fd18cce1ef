/** Data about the page from the server. */
export interface Pulse {
  /** Path that serves a newer version of the page. */
  path: string;
  /** Time between two refreshes; null if the page will not change. */
  refresh_ms: number | null;
  title: string;
  /** The server's time in milliseconds, and when this machine's clock received it. */
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
