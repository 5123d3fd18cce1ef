import { sql } from 'kysely';
import * as z from 'zod';
import { type Mode, STATUSES } from '../../shared/core/domains/status.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId, DomainId } from '../../shared/core/ids.ts';
import { timestamp } from '../../shared/core/instant.ts';
import { findingsOf, presentDiagnosis } from '../../shared/operations/dns/present-diagnosis.ts';
import { findCustomerAddresses } from '../../shared/operations/domains/customer-target.ts';
import { presentDomain } from '../../shared/operations/domains/present-domain.ts';
import { findPossibleTriggers } from '../../shared/operations/domains/trigger-domain.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { findDnsCheck } from '../../shared/store/domains/dns-checks.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import type { DomainListing, InspectedDomain } from '../lab/responses.ts';
import type { ControlAction } from './action.ts';
import { listPageSchema, matchesSearch, NEWEST_FIRST, readListQuery } from './list-page.ts';

const querySchema = listPageSchema.extend({ status: z.enum(STATUSES).optional() });

/** Lists the domains of all apps, newest first. Deleted domains are listed only if the query filters by the status `deleted`. */
export const listAllDomains: ControlAction = async ({ emulator, query }): Promise<DomainListing> => {
  const { offset, limit, status, app_id, mode, search } = readListQuery(querySchema, query);
  let matching = emulator.context.store.db.selectFrom('domains').where('mode', '<>', 'host');
  if (app_id) matching = matching.where('app_id', '=', app_id as AppId);
  if (mode) matching = matching.where('mode', '=', mode);
  if (search) matching = matching.where(matchesSearch(search, 'id'));
  const counted = await matching
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')] as const)
    .groupBy('status')
    .execute();
  // Select row ids first, so that only the ids are sorted and not whole rows.
  const rowIds = matching
    .select(sql<number>`rowid`.as('id_of_row'))
    .where('status', status === undefined ? '<>' : '=', status ?? 'deleted')
    .orderBy(NEWEST_FIRST)
    .limit(limit)
    .offset(offset);
  const rows = await emulator.context.store.db
    .selectFrom('domains')
    .select(['id', 'app_id', 'hostname', 'status', 'status_reason', 'status_since'])
    .select((eb) => eb.ref('mode').$castTo<Mode>().as('mode'))
    .where(sql<number>`rowid`, 'in', rowIds)
    .orderBy(NEWEST_FIRST)
    .execute();
  const shown = counted.filter((each) =>
    status === undefined ? each.status !== 'deleted' : each.status === status,
  );
  return {
    total: shown.reduce((sum, { count }) => sum + count, 0),
    offset,
    by_status: Object.fromEntries(counted.map(({ status: each, count }) => [each, count])),
    data: rows.map((row) => ({ ...row, status_since: timestamp(row.status_since) })),
  };
};

/** Shows a domain of any app, even a deleted one. */
export const inspectDomain: ControlAction = async ({ emulator, param }): Promise<InspectedDomain> => {
  const { context } = emulator;
  const { store, settings } = context;
  const domain = await findDomainById(store, param as DomainId);
  if (domain === null || domain.mode === 'host') throw new ServiceError('not_found');
  const check = await findDnsCheck(store, domain.id);
  const jobs = await store.db
    .selectFrom('jobs')
    .select(['kind', 'due_at'])
    .where('subject_id', '=', domain.id)
    .orderBy('due_at')
    .execute();
  const facts = {
    hostname: domain.hostname,
    checked_at: check?.checked_at ?? null,
    healthy: null,
    name_servers: check?.name_servers ?? [],
    findings: findingsOf(domain, check?.findings ?? []),
    lookups: [],
  };
  const addresses = await findCustomerAddresses(context, await getApp(store, domain.app_id));
  return {
    app_id: domain.app_id,
    domain: presentDomain(context, addresses, domain),
    status_since: timestamp(domain.status_since),
    status_before_hold: domain.status_before_hold,
    possible: await findPossibleTriggers(context, domain),
    findings: presentDiagnosis(facts, settings.docsUrl).findings,
    jobs: jobs.map(({ kind, due_at }) => ({ kind, due_at: timestamp(due_at) })),
  };
};
