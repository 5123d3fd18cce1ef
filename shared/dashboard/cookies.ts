import { SESSION } from '../core/accounts/session.ts';
import type { Context } from '../operations/context.ts';
import {
  knownBrowserToken,
  type SigningBrowser,
  type StartedSession,
} from '../operations/members/sign-in.ts';

/**
 * The cookies of the dashboard. The prefix `__Host-` makes browsers refuse them from other hosts and over plain HTTP (RFC 6265bis section
 * 4.1.3.2). Browsers accept them on localhost too.
 */
const COOKIES = {
  /** Contains the token of the session. */
  session: '__Host-session',
  /** Binds a sign-in to the browser in which it begins. */
  browser: '__Host-sign-in',
  /**
   * The person who signed in last in this browser, encrypted. The person's sign-in links then have a limit of their own, which strangers
   * cannot use up.
   */
  known: '__Host-known',
} as const;
export type CookieName = keyof typeof COOKIES;

/**
 * The `SameSite` attribute of each cookie. An identity provider sends the browser back by a navigation from another site, without `Strict`
 * cookies. Browsers send `Lax` cookies with such a navigation, but with no other request from another site (RFC 6265bis section 5.6.7).
 */
const SAME_SITE: Readonly<Record<CookieName, 'Strict' | 'Lax'>> = {
  session: 'Strict',
  browser: 'Lax',
  known: 'Strict',
};

/** Returns the value of a cookie; null if the cookie is missing, malformed or sent more than once. */
export function readCookie(headers: Headers, name: CookieName): string | null {
  const values = (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([key]) => key === COOKIES[name])
    .map(([, value = '']) => value);
  const [value = ''] = values;
  return values.length === 1 && /^[\w.-]{20,100}$/.test(value) ? value : null;
}

/** Returns a `Set-Cookie` header. @param maxAgeS 0 deletes the cookie. */
export function cookie(name: CookieName, value: string, maxAgeS: number): string {
  return `${COOKIES[name]}=${value}; Path=/; Max-Age=${maxAgeS}; Secure; HttpOnly; SameSite=${SAME_SITE[name]}`;
}

/** Returns the cookies and the user agent of the browser, which a sign-in needs. */
export function readBrowser({ headers }: Request): SigningBrowser {
  return {
    browserToken: readCookie(headers, 'browser'),
    sessionToken: readCookie(headers, 'session'),
    userAgent: headers.get('user-agent') ?? '',
  };
}

/**
 * Returns the `Set-Cookie` header that binds a sign-in to the browser. It lasts as long as a sign-in link, because the person may also have
 * requested a link.
 */
export function browserCookie(token: string): string {
  return cookie('browser', token, SESSION.link_ms / 1000);
}

/** Returns the `Set-Cookie` headers of a completed sign-in. */
export function signedInCookies(
  context: Context,
  { token, session }: Omit<StartedSession, 'next'>,
): string[] {
  return [
    cookie('session', token, SESSION.lifetime_ms / 1000),
    cookie('browser', '', 0),
    cookie('known', knownBrowserToken(context, session.mail), SESSION.known_ms / 1000),
  ];
}
