/**
 * Returns true if a request that changes something comes from one of our pages, or from a program that shows no page, such as a mail
 * service. Browsers say so in `Sec-Fetch-Site`. If that header is missing (in older browsers, and over plain HTTP), `Origin` decides. The
 * `Origin` may be `null`, because forms on our pages send that: our pages send no referrer. Other pages can send `null` too, but they do
 * not know the token in the path, which authorizes the request.
 */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origin === 'null' || isOwnOrigin(origin);
}
