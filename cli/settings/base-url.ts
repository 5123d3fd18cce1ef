import { isLoopbackHost } from '../../shared/core/edge/address.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Where the emulator listens by default. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:4400';

/**
 * The address of a server as it is kept and compared: no trailing slash, no `/v1`.
 * @param from where it came from, for the error.
 */
export function baseUrl(value: string, from: string): string {
  const fix = `Give an address such as https://api.example.com or http://127.0.0.1:4400 (${from}).`;
  if (!URL.canParse(value)) throw usageError('The base URL is not an address.', fix);
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usageError('The base URL is not an http or https address.', fix);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usageError('The base URL holds more than an address and a path.', fix);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}

/** True when a key would travel the network unencrypted. */
export function isPlain(base_url: string): boolean {
  const { protocol, hostname } = new URL(base_url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}
