import type { Address } from './settings/setting-kinds.ts';

/** Where something listens, as an address of HTTP. */
export function urlOf({ host, port }: Address, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same for whoever asks from this machine: what listens on every address answers on loopback. */
export function localUrlOf({ host, port }: Address): string {
  return urlOf({ host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port });
}

/** Returns an address in the form of a setting. */
export function settingTextOf(address: Address): string {
  return urlOf(address).slice('http://'.length);
}
