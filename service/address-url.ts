import type { ListenAddress } from './settings/setting-kinds.ts';

/** Returns the URL of a listening address. */
export function urlOf({ host, port }: ListenAddress, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the URL at which this machine reaches a listening address. If the server listens on all addresses, that is 127.0.0.1. */
export function localUrlOf({ host, port }: ListenAddress): string {
  return urlOf({ host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port });
}

/** Returns the address as `host:port`, the form that settings use. */
export function settingTextOf(address: ListenAddress): string {
  return urlOf(address).slice('http://'.length);
}
