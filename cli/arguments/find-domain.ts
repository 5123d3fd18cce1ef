import { string } from '@oclif/core/args';
import type { Client } from '../../shared/client/client.ts';
import { readName } from '../../shared/core/domains/hostname.ts';
import { quotedUrl } from '../../shared/core/text/printable.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import { orNotFound } from './explain-api-error.ts';

/** Returns a domain by its hostname or its id. @throws CliError `not_found`, `usage` */
export async function resolveDomain(reference: string, client: Client): Promise<DomainResource> {
  if (isDomainId(reference))
    return orNotFound(client.domains.get(reference), `domain ${reference}`, 'nameplate domains list');
  const hostname = asciiHostname(reference);
  // The API's `hostname` filter matches a prefix, so `acme.com` also finds `acme.com.br`.
  for await (const domain of client.domains.all({ hostname, limit: 100 })) {
    if (domain.hostname === hostname) return domain;
  }
  throw new CliError('not_found', `No domain ${hostname} in this app and mode.`, {
    fix: `Run nameplate domains list to see your domains, or nameplate domains add ${hostname}.`,
  });
}

/** Returns a domain's id. Sends no request if the reference is an id. */
export async function resolveDomainId(reference: string, client: Client): Promise<string> {
  return isDomainId(reference) ? reference : (await resolveDomain(reference, client)).id;
}

/** Returns true for a domain id. A hostname never matches, because it cannot contain an underscore. */
export function isDomainId(reference: string): boolean {
  return /^dom_[0-9A-Za-z]+$/.test(reference);
}

/**
 * Returns the hostname as the API stores it: lowercase ASCII without a trailing dot.
 * `readName` refuses text that a URL parser would cut or decode, such as `a.acme.com/../b.acme.com`.
 *
 * @throws CliError `usage` if the text is not exactly one hostname.
 */
function asciiHostname(text: string): string {
  const read = readName(text);
  if (read.ok) return read.name;
  throw usageError(
    `${quotedUrl(text)} is neither a hostname nor a domain id: ${read.problem}.`,
    'Give a hostname such as careers.acme.com, or an id such as dom_01k….',
  );
}

/** The argument of commands that work on exactly one domain. */
export const domainArg = {
  domain: string({ description: 'Hostname or id of the domain', required: true }),
};

/** The argument of commands that accept several domains. */
export const domainsArg = {
  domain: string({ description: 'Hostnames or ids of the domains', required: true, multiple: true }),
};
