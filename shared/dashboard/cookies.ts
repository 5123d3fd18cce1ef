/**
 * The cookies of the dashboard. The prefix `__Host-` makes browsers refuse them from other hosts and over plain HTTP (RFC 6265bis section
 * 4.1.3.2). Browsers accept them on localhost too.
 */
const COOKIES = {
  /** The session. */
  session: '__Host-session',
  /** Binds a sign-in link to the browser that requests it. */
  browser: '__Host-sign-in',
} as const;
export type CookieName = keyof typeof COOKIES;

/** Returns the value of a cookie, or null if the request does not have it exactly once. */
export function readCookie(headers: Headers, name: CookieName): string | null {
  const values = (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([key]) => key === COOKIES[name])
    .map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && /^[\w-]{20,100}$/.test(value) ? value : null;
}

/** Returns a `Set-Cookie` header. @param maxAgeS 0 deletes the cookie. */
export function cookie(name: CookieName, value: string, maxAgeS: number): string {
  return `${COOKIES[name]}=${value}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=Strict`;
}
