import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainList, DomainResource, ListDomainsQuery } from '../../schema/domain.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { selectDomains } from '../../store/domains/domain-list.ts';
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

/** `docs/api.md#domains`: GET /v1/domains. Lists domains of the key's own mode. */
export async function listDomains(
  context: Context,
  caller: Caller,
  input: { query: ListDomainsQuery },
): Promise<Answer<DomainList>> {
  const { status, hostname, metadata, limit, cursor } = input.query;
  const identity: ListIdentity = ['domains', caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  const filter = { status, hostnamePrefix: hostname?.toLowerCase(), metadata };
  const page = await selectDomains(context.store, caller, filter, { limit, after });
  const addresses = await findCustomerAddresses(context, await getApp(context.store, caller.app_id));
  return {
    status: 200,
    body: {
      data: page.rows.map((domain) => presentDomain(context, addresses, domain)),
      next_cursor: page.next && encodeCursor(identity, page.next),
    },
  };
}
