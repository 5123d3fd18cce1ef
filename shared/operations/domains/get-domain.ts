import { ServiceError } from '../../core/errors.ts';
import type { DomainResource } from '../../schema/domain.ts';
import { findDomainAndApp } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { findCustomerAddresses } from './customer-target.ts';
import { presentDomain } from './present-domain.ts';

/** `docs/api.md#domains`: GET /v1/domains/{id}. Responds with 404 for a deleted domain, and for one of another app or mode. */
export async function getDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<DomainResource>> {
  const found = await findDomainAndApp(context.store, caller, input.params.id);
  if (found === null) throw new ServiceError('not_found');
  const addresses = await findCustomerAddresses(context, found.app);
  return { status: 200, body: presentDomain(context, addresses, found.domain) };
}
