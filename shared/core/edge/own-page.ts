/**
 * Whether a request that changes something comes from a page of ours, or from no page at all (a program, a mail service).
 * `Sec-Fetch-Site` is the browser's own word. Where a browser says none (before Fetch Metadata, or over plain HTTP), `Origin` counts,
 * and `null` passes: our pages send no referrer, so that is what their own forms come with. Another's page can have it too, but not
 * the token in the path, which is what gives the right.
 */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origin === 'null' || isOwnOrigin(origin);
}
