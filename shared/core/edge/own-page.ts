/**
 * Returns true if a request that changes something comes from one of our pages, or from no page (a program, a mail service). Browsers state
 * this in `Sec-Fetch-Site`. If that header is missing (in older browsers, and over plain HTTP), `Origin` decides. `null` is accepted there,
 * because our pages send no referrer, so their forms send it. Other pages can send `null` too, but they do not know the token in the path,
 * which authorizes the request.
 */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origin === 'null' || isOwnOrigin(origin);
}
