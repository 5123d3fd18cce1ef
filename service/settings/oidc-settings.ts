import * as z from 'zod';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import type { Environment } from './environment.ts';

/** A company's OpenID provider, and this service as its client. The secret is never printed. */
export interface OidcSettings {
  /** Exactly as the provider's discovery document spells it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  mailDomains: readonly string[];
  /** Name on the button of the sign-in page. */
  name: string;
}

/** Returns the provider of the settings, or null if there is none. */
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

/** An issuer exactly as the provider spells it, because the last slash of its path counts. */
export const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://id.example.com', abort: true })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === '';
  }, 'must be an address without a user, a query or a fragment');

/** Returns whether the four settings that a provider needs are all set, or none. */
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

/** Returns whether an issuer's address is safe: HTTPS, or plain HTTP for a trial that lies within this machine entirely. */
export function isSafeIssuer(issuer: string | undefined, baseUrl: string | undefined): boolean {
  if (issuer === undefined || issuer.startsWith('https:')) return true;
  return [issuer, baseUrl ?? issuer].every((url) => isLoopbackHost(new URL(url).hostname));
}
