import { ServiceError } from '../../shared/core/errors.ts';
import { printable } from '../../shared/core/text/printable.ts';
import { findDomainOfApp } from '../../shared/store/domains/domains.ts';
import type { EmulatorComposition } from '../compose.ts';

/**
 * Resolves an id or a hostname of the default app to a domain id. An id has no dot, and a hostname no underscore.
 * @returns an id unchanged. @throws ServiceError `not_found` for an unknown hostname.
 */
export async function findDomainId(
  { context, defaultApp }: EmulatorComposition,
  domain: string,
): Promise<string> {
  if (domain.startsWith('dom_')) return domain;
  const found = await findDomainOfApp(context.store, defaultApp().id, domain.toLowerCase());
  if (found !== null) return found.id;
  throw new ServiceError('not_found', {
    message: `The default app has no domain ${printable(domain)}.`,
    fix: 'Give one of its hostnames, or the id of a domain of any app. GET /_emulator/domains lists them all.',
  });
}
