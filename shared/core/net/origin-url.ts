import { isIP } from 'node:net';
import { isUnder, readName, registrableDomain, specialZoneOf } from '../domains/hostname.ts';
import { ServiceError, validationFailed } from '../errors.ts';
import type { Branded } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { printable, quoted, quotedUrl } from '../text/printable.ts';
import { isGlobalUnicast, isLoopback } from './address.ts';

/** A normalized `https://host[:port]`. Only `parseOriginUrl` creates one. The addresses of its host are checked at every connection. */
export type OriginUrl = Branded<string, 'OriginUrl'>;
/** An https URL with path and query. Only `parseWebhookUrl` creates one. */
export type WebhookUrl = Branded<string, 'WebhookUrl'>;

export interface UrlRules {
  /** The service's own zones, in lowercase ASCII without a trailing dot. */
  serviceZones: readonly string[];
  /** True in the emulator: allows loopback hosts, over plain HTTP too. */
  allowLoopback: boolean;
}

/**
 * Parses `origin_url` or a domain's `origin`: a scheme, a host and an optional port (`docs/api.md#apps`; `docs/origins.md`).
 * @throws ServiceError `origin_not_allowed`. It throws no other error.
 */
export function parseOriginUrl(input: string, rules: UrlRules): OriginUrl {
  try {
    const { url, rest, host } = readUrl(input, rules);
    if (host === 'address') throw new UrlProblem('it names an IP address');
    if (rest !== '' && rest !== '/')
      throw new UrlProblem('it has a path or query; an origin is scheme and host only');
    return url.origin as OriginUrl;
  } catch (error) {
    if (!(error instanceof UrlProblem)) throw error;
    const message = `The origin ${quotedUrl(input)} cannot be used: ${error.message}.`;
    throw new ServiceError('origin_not_allowed', { message, ...fixFor(input, rules) });
  }
}

/**
 * Parses `webhook_url`. Unlike an origin, it may have a path and query, and may name a public IP address.
 * @throws ServiceError `validation_failed` for the field `webhook_url`. It throws no other error.
 */
export function parseWebhookUrl(input: string, rules: UrlRules): WebhookUrl {
  try {
    const { url, rest } = readUrl(input, rules);
    // The URL standard adds a slash to a URL without a path. The slash is removed, so that the app reads back what it wrote.
    return (rest === '' ? url.origin : url.origin + url.pathname + url.search) as WebhookUrl;
  } catch (error) {
    if (!(error instanceof UrlProblem)) throw error;
    throw validationFailed({
      path: 'webhook_url',
      message: `${quotedUrl(input)} cannot be used: ${error.message}`,
    });
  }
}

/** Suggests a scheme to a developer who typed `localhost:3000`. */
function fixFor(input: string, rules: UrlRules): { fix?: string } {
  const withScheme = `http://${input}`;
  if (!rules.allowLoopback || URL_PARTS.test(input) || !URL.canParse(withScheme)) return {};
  try {
    return readUrl(withScheme, rules).host === 'loopback' ? { fix: `Write ${withScheme}.` } : {};
  } catch (error) {
    if (error instanceof UrlProblem) return {};
    throw error;
  }
}

/** An error whose message is a clause that says what is wrong with a URL. Callers in this file catch it. */
class UrlProblem extends Error {}

interface ReadUrl {
  url: URL;
  /** The path and query as they were sent. */
  rest: string;
  /** The kind of host. `address` means a public IP address. */
  host: 'name' | 'address' | 'loopback';
}

/** Splits a URL into scheme, authority and rest. `new URL` alone accepts and repairs too much (`https:host`, `https:\\host`, line ends). */
const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)(.*)$/i;
/** Matches a host with an optional port. Rejects an empty port, as in `host:`, and port 0, because both are mistakes. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^:[\]]+)(?::0*[1-9][0-9]{0,4})?$/i;

function readUrl(input: string, rules: UrlRules): ReadUrl {
  if (input.length > LIMITS.url_chars_max)
    throw new UrlProblem(`it has more than ${LIMITS.url_chars_max} characters`);
  const unreadable = /[\p{Cc}\p{Cs}\s\\<>"^`{|}]/u.exec(input)?.[0];
  if (unreadable !== undefined)
    throw new UrlProblem(`the character ${quoted(unreadable)} is not allowed in a URL`);
  const [, scheme = '', authority = '', rest = ''] = URL_PARTS.exec(input) ?? [];
  if (scheme === '') throw new UrlProblem('it does not start with https://');
  if (!/^https?$/i.test(scheme)) throw new UrlProblem(`its scheme is ${printable(scheme, 20)}, not https`);
  if (input.includes('#')) throw new UrlProblem('it has a fragment');
  if (authority.includes('@')) throw new UrlProblem('it has a user name');
  if (authority.includes('%')) throw new UrlProblem('its host has a percent escape');
  if (!AUTHORITY.test(authority) || !URL.canParse(input))
    throw new UrlProblem('its host or port cannot be read');
  const url = new URL(input);
  const host = readHost(url.hostname, rules);
  if (url.protocol !== 'https:' && host !== 'loopback') throw new UrlProblem('its scheme is http, not https');
  url.hostname = url.hostname.replace(/\.$/, '');
  return { url, rest, host };
}

/** @param hostname as `URL` returns it: lowercase ASCII, IPv4 in four decimal parts, IPv6 in brackets. */
function readHost(hostname: string, { serviceZones, allowLoopback }: UrlRules): ReadUrl['host'] {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) {
    if (allowLoopback && isLoopback(address)) return 'loopback';
    if (!isGlobalUnicast(address)) throw new UrlProblem('it names a private or reserved address');
    if (serviceZones.includes(address)) throw new UrlProblem("it names one of the service's own addresses");
    return 'address';
  }
  const bare = hostname.replace(/\.$/, '');
  const zone = serviceZones.find((each) => isUnder(bare, each));
  if (zone !== undefined) throw new UrlProblem(`its host is in ${zone}, one of the service's own zones`);
  if (allowLoopback && isUnder(bare, 'localhost')) return 'loopback';
  const read = readName(hostname);
  if (!read.ok) throw new UrlProblem(`its host is not a public name: ${read.problem}`);
  const special = specialZoneOf(read.name);
  if (special !== null) throw new UrlProblem(`its host is under ${special}, which is not in the public DNS`);
  if (registrableDomain(read.name) === null) throw new UrlProblem(`its host ${read.name} is a public suffix`);
  return 'name';
}
