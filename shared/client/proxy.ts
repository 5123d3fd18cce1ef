import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../core/net/address.ts';

/** The proxy that an environment variable names for the requests to a server. */
export interface NamedProxy {
  variable: string;
  /** The proxy's host and port, without a password. */
  host: string;
  /** The value of the variable, with a scheme. */
  url: string;
  /** A clause that says why the proxy cannot be used; null if it can be used. */
  problem: string | null;
}

/**
 * Finds the proxy for a server as curl does. A variable in lowercase takes precedence, and an empty variable is ignored. A value without a
 * scheme means http. Returns null if there is no proxy, or if the server is this machine or is in NO_PROXY.
 */
export function proxyFor({ protocol, hostname }: URL, env: NodeJS.ProcessEnv): NamedProxy | null {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = names.find((name) => env[name]);
  if (variable === undefined || isThisMachine(hostname) || isExcluded(hostname, env)) return null;
  const value = env[variable] ?? '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url)) return { variable, host: 'unknown', url, problem: 'it is not a valid address' };
  const { host, protocol: scheme } = new URL(url);
  const problem = /^https?:$/.test(scheme)
    ? null
    : `its scheme is ${scheme.slice(0, -1)}, and only http and https work`;
  return { variable, host, url, problem };
}

/** Matches the entries of NO_PROXY: a host, a domain with everything under it, or `*`. */
function isExcluded(hostname: string, env: NodeJS.ProcessEnv): boolean {
  return (env.no_proxy ?? env.NO_PROXY ?? '').split(',').some((entry) => {
    const name = entry.trim().replace(/^\*?\./, '');
    return name === '*' || name === hostname || (name !== '' && hostname.endsWith(`.${name}`));
  });
}

/** Returns true if a URL's host is this machine: a loopback host, or an address of one of its network interfaces. */
export function isThisMachine(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const ip = hostname.replace(/^\[|\]$/g, '');
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}
