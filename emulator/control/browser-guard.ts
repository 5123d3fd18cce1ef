import { isIP } from 'node:net';
import { ServiceError } from '../../shared/core/errors.ts';
import { EMBED_PATHS } from '../../shared/embed/embed-paths.ts';

/** The names that the emulator accepts in the `Host` header, besides `localhost` and IP addresses. */
export interface AllowedHosts {
  /** The accepted names in lowercase. */
  names: readonly string[];
  /** True if any single-label name is accepted, such as the name of a container. */
  singleLabels: boolean;
}

const EMBEDDED: readonly string[] = Object.values(EMBED_PATHS);
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const SINGLE_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Protects the emulator from web pages in the developer's browser (`decisions/0026`). Refuses a `Host` that DNS rebinding could point to
 * this address, and requests from a page of another origin. A form of the connect page checks its origin itself (`isFromOwnPage`).
 * @throws ServiceError `forbidden`.
 */
export function guardBrowser({ method, headers }: Request, { pathname }: URL, allowed: AllowedHosts): void {
  const host = headers.get('host')?.toLowerCase() ?? '';
  if (!isAllowed(nameOf(host), allowed)) throw foreignHost(nameOf(host));
  if (method === 'POST' && pathname.startsWith('/connect/')) return;
  // The embedded connect component runs in pages of any origin. The connect token is its only credential.
  if (EMBEDDED.includes(pathname)) return;
  const origin = headers.get('origin');
  // A page that sends no referrer, such as the dashboard, can send the origin `null`. Then `Sec-Fetch-Site` decides.
  if (origin === 'null' && headers.get('sec-fetch-site') === 'same-origin') return;
  if (origin !== null && !ownOrigins(host).includes(origin.toLowerCase())) {
    throw new ServiceError('forbidden', {
      message: 'Pages of another origin may not use the emulator.',
      fix: 'Call it from a program, or from a page that the emulator serves.',
    });
  }
}

/** Returns the host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** Returns true if requests may have this name as `Host`. IP addresses are safe, because DNS rebinding needs a name. */
function isAllowed(name: string, { names, singleLabels }: AllowedHosts): boolean {
  if (name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return names.includes(name) || (singleLabels && SINGLE_LABEL.test(name));
}

/** Returns the origins that pages of the emulator can have under this host. A loopback host gives the origins of all loopback names. */
function ownOrigins(host: string): string[] {
  const name = nameOf(host);
  const names = LOOPBACK.includes(name) ? LOOPBACK : [name];
  return names.map((each) => `http://${each}${host.slice(name.length)}`);
}

function foreignHost(name: string): ServiceError {
  const canBeAllowed = /^[a-z0-9_.-]{1,253}$/.test(name);
  return new ServiceError('forbidden', {
    message: canBeAllowed
      ? `The emulator does not accept the Host ${name}.`
      : 'The emulator does not accept this Host.',
    fix: canBeAllowed
      ? `Start the emulator with --allow-host ${name}, or use localhost or an IP address.`
      : 'Use localhost or an IP address.',
  });
}
