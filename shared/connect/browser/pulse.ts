/** What the server says about the page beside its words. */
export interface Pulse {
  /** Where a newer one is. */
  path: string;
  revision: string;
  /** Between two looks; null where nothing will change, and on pages that do not change. */
  refresh_ms: number | null;
  title: string;
  /** The server's time in milliseconds, and when that was by the clock of this machine. */
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
    revision,
    refresh_ms: refresh === '' ? null : Number(refresh) * 1000,
    title,
    now: Date.parse(now),
    heard_at: heard.at,
  };
}
