import type { Client } from '../../shared/client/client.ts';
import { readName } from '../../shared/core/domains/hostname.ts';
import { quotedUrl } from '../../shared/core/text/printable.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';

/** A domain by its hostname or its id: commands take either. */
export async function findDomain(reference: string, client: Client): Promise<DomainResource> {
  if (isDomainId(reference)) return client.domains.get(reference);
  const hostname = asciiHostname(reference);
  // The filter is a prefix: `acme.com` also finds `acme.com.br`.
  for await (const domain of client.domains.all({ hostname, limit: 100 })) {
    if (domain.hostname === hostname) return domain;
  }
  throw new CliError('not_found', `There is no domain ${hostname} here, or it is of the other mode.`, {
    fix: `Run nameplate domains list to see those there are, or nameplate domains add ${hostname}.`,
  });
}

/** The id alone, without a request when it was given. */
export async function findDomainId(reference: string, client: Client): Promise<string> {
  return isDomainId(reference) ? reference : (await findDomain(reference, client)).id;
}

/** An id has no dot, and a hostname no underscore. */
export function isDomainId(reference: string): boolean {
  return /^dom_[0-9A-Za-z]+$/.test(reference);
}

/**
 * Returns the hostname as the API stores it: lowercase ASCII without a trailing dot.
 * `readName` refuses text that a URL parser would cut or decode, such as `a.acme.com/../b.acme.com`.
 *
 * @throws CliError `usage` when the text is not exactly one hostname.
 */
function asciiHostname(text: string): string {
  const read = readName(text);
  if ('name' in read) return read.name;
  throw usageError(
    `${quotedUrl(text)} is neither a hostname nor a domain id: ${read.problem}.`,
    'Give a name such as careers.acme.com, or an id such as dom_01k….',
  );
}
