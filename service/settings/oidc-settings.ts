import * as z from 'zod';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import type { Environment } from './environment.ts';

/** The settings of a company's OpenID provider, and of this service as its client. The secret is never printed. */
export interface OidcSettings {
  /** The issuer, spelled exactly as in the provider's discovery document. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  mailDomains: readonly string[];
  /** The provider's name on the button of the sign-in page. */
  name: string;
}

/** Returns the settings of the OpenID provider, or null if the settings name no provider. */
export function oidcSettings(env: Environment): OidcSettings | null {
  const {
    NAMEPLATE_OIDC_ISSUER: issuer,
    NAMEPLATE_OIDC_CLIENT_ID: clientId,
    NAMEPLATE_OIDC_CLIENT_SECRET: clientSecret,
    NAMEPLATE_OIDC_DOMAINS: mailDomains,
  } = env;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  if (mailDomains === undefined) return null;
  const name = env.NAMEPLATE_OIDC_NAME ?? new URL(issuer).hostname;
  return { issuer, clientId, clientSecret, mailDomains, name };
}

/** Checks an issuer, and keeps its spelling, because a slash at the end makes a difference. */
export const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://id.example.com', abort: true })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === '';
  }, 'must be an address without a user, a query or a fragment');

/** Returns true if all four settings that a provider needs are set, or if none is. */
export function isWholeProvider(env: {
  NAMEPLATE_OIDC_ISSUER?: unknown;
  NAMEPLATE_OIDC_CLIENT_ID?: unknown;
  NAMEPLATE_OIDC_CLIENT_SECRET?: unknown;
  NAMEPLATE_OIDC_DOMAINS?: unknown;
}): boolean {
  const needed = [
    env.NAMEPLATE_OIDC_ISSUER,
    env.NAMEPLATE_OIDC_CLIENT_ID,
    env.NAMEPLATE_OIDC_CLIENT_SECRET,
    env.NAMEPLATE_OIDC_DOMAINS,
  ].filter((each) => each !== undefined);
  return needed.length === 0 || needed.length === 4;
}

/** Returns true if the issuer's address is safe: it uses HTTPS, or both the issuer and this service are on this machine, as in a trial. */
export function isSafeIssuer(issuer: string | undefined, baseUrl: string | undefined): boolean {
  if (issuer === undefined || issuer.startsWith('https:')) return true;
  return [issuer, baseUrl ?? issuer].every((url) => isLoopbackHost(new URL(url).hostname));
}
