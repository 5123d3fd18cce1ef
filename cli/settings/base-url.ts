import { isLoopbackHost } from '../../shared/core/net/address.ts';
import { usageError } from '../runtime/cli-error.ts';

/** The emulator's default address. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:4400';

/**
 * Normalizes a server's address: removes a trailing slash and `/v1`.
 * @param from the source of the value, for the error. @throws CliError `usage`
 */
export function baseUrl(value: string, from: string): string {
  const fix = `Give an address such as https://api.example.com or http://127.0.0.1:4400 (${from}).`;
  if (!URL.canParse(value)) throw usageError('The base URL is not a URL.', fix);
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usageError('The base URL is not an http or https address.', fix);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError('The base URL must not contain a user, a query or a fragment.', fix);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}

/** Returns true if an API key would be sent over a network unencrypted. */
export function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}
