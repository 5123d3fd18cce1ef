import { ServiceError } from '../../core/errors.ts';
import type { DomainResource } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findDomain } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { findCustomerAddresses } from './customer-target.ts';
import { presentDomain } from './present-domain.ts';

/** `docs/api.md#domains`: GET /v1/domains/{id}. Responds with 404 for a deleted domain, and for one of another app or mode. */
export async function getDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<DomainResource>> {
  const domain = await findDomain(context.store, caller, input.params.id);
  if (domain === null) throw new ServiceError('not_found');
  const app = await getApp(context.store, caller.app_id);
  const addresses = await findCustomerAddresses(context, app);
  return { status: 200, body: presentDomain(context, addresses, domain) };
}
