import { isIP } from 'node:net';
import { ServiceError } from '../../shared/core/errors.ts';

/** The names that a request may have as its Host, beside `localhost` and addresses. */
export interface AllowedHosts {
  /** Lowercase names. */
  names: readonly string[];
  /** Whether any name of one label counts, such as that of a container. */
  singleLabels: boolean;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const SINGLE_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Keeps a web page in the developer's browser out (`decisions/0026`): refuses a Host that a page could have rebound to this address, and a
 * request that a page of another origin makes.
 * @throws ServiceError `forbidden`.
 */
export function guardBrowser(headers: Headers, allowed: AllowedHosts): void {
  const host = headers.get('host')?.toLowerCase() ?? '';
  if (!isAllowed(nameOf(host), allowed)) throw foreignHost(nameOf(host));
  const origin = headers.get('origin');
  // A form of a page that sends no referrer, as the connect page, has no origin to tell: the browser's own word counts then.
  if (origin === 'null' && headers.get('sec-fetch-site') === 'same-origin') return;
  if (origin !== null && !ownOrigins(host).includes(origin.toLowerCase())) {
    throw new ServiceError('forbidden', {
      message: 'Pages of another origin may not use the emulator.',
      fix: 'Call it from a program, or from a page that the emulator serves.',
    });
  }
}

/** The Host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** A browser never looks an address up, so that no address can be rebound. */
function isAllowed(name: string, { names, singleLabels }: AllowedHosts): boolean {
  if (name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return names.includes(name) || (singleLabels && SINGLE_LABEL.test(name));
}

/** The origin of the page's own Host. On loopback its other names are the same emulator. */
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
