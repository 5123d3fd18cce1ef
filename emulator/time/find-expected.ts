import type { DomainId } from '../../shared/core/ids.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import type { Context } from '../../shared/operations/context.ts';
import { findCustomerAddresses } from '../../shared/operations/domains/customer-target.ts';
import { presentDomain } from '../../shared/operations/domains/present-domain.ts';
import { presentEvent } from '../../shared/operations/events/present-event.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import type { EventResource } from '../../shared/schema/event.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import { getEventById } from '../../shared/store/events/events.ts';
import { type Expectation, isOfEvent } from './expectation.ts';

/** An event or domain that matches an expectation, and the time at which it began to match, by the emulator's clock. */
export interface ExpectationMatch {
  found: EventResource | DomainResource;
  at: Instant;
}

/** Finds a match in both modes and all apps. Returns null if there is none yet. */
export async function findExpected(
  context: Context,
  expectation: Expectation,
): Promise<ExpectationMatch | null> {
  return isOfEvent(expectation.what)
    ? findExpectedEvent(context, expectation)
    : findExpectedDomain(context, expectation);
}

/** Finds the closest match, for the error of a wait that has timed out. */
export async function findClosest(
  context: Context,
  { what, hostname, domain_id }: Expectation,
): Promise<ExpectationMatch['found'] | null> {
  const anywhere = {
    ...(hostname !== undefined && { hostname }),
    ...(domain_id !== undefined && { domain_id }),
  };
  const same = isOfEvent(what) ? await findExpectedEvent(context, { what, ...anywhere }) : null;
  return (same ?? (await findExpectedDomain(context, anywhere)))?.found ?? null;
}

/** Finds a matching event that will never be delivered, because it was not sent and its app still has no `webhook_url`. */
export async function findUnsent(context: Context, expected: Expectation): Promise<EventResource | null> {
  if (expected.delivery !== 'delivered') return null;
  const { delivery, attempts, status_code, ...anyhow } = expected;
  const event = await newestEvent(context, anyhow);
  if (event?.delivery_status !== 'none') return null;
  const { webhook_url } = await getApp(context.store, event.app_id);
  return webhook_url === null ? presentEvent(event) : null;
}

async function findExpectedEvent(context: Context, expected: Expectation): Promise<ExpectationMatch | null> {
  const event = await newestEvent(context, expected);
  return event === null ? null : { found: presentEvent(event), at: metAt(event, expected) };
}

async function newestEvent(context: Context, expected: Expectation): Promise<StoredEvent | null> {
  const { what, hostname, domain_id, delivery, attempts, status_code } = expected;
  if (!isOfEvent(what)) return null;
  let query = context.store.db.selectFrom('events').select('id').where('type', '=', what);
  if (hostname !== undefined) query = query.where('hostname', '=', hostname);
  if (domain_id !== undefined) query = query.where('domain_id', '=', domain_id as DomainId);
  if (delivery !== undefined) query = query.where('delivery_status', '=', delivery);
  if (attempts !== undefined) query = query.where('attempts', '=', attempts);
  if (status_code !== undefined) query = query.where('last_status_code', '=', status_code);
  const row = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? null : getEventById(context.store, row.id);
}

/** Returns when an event began to match: at its last attempt if the expectation has a condition on the delivery, else at its creation. */
function metAt(event: StoredEvent, { delivery, attempts, status_code }: Expectation): Instant {
  const ofDelivery = delivery !== undefined || attempts !== undefined || status_code !== undefined;
  return (ofDelivery ? event.last_attempt_at : null) ?? event.created_at;
}

async function findExpectedDomain(
  context: Context,
  expected: Partial<Expectation>,
): Promise<ExpectationMatch | null> {
  const { what, hostname, domain_id, reason } = expected;
  let query = context.store.db.selectFrom('domains').select('id').where('mode', '<>', 'host');
  if (what !== undefined && !isOfEvent(what)) query = query.where('status', '=', what);
  if (hostname !== undefined) query = query.where('hostname', '=', hostname);
  if (domain_id !== undefined) query = query.where('id', '=', domain_id as DomainId);
  if (reason !== undefined) query = query.where('status_reason', '=', reason);
  const row = await query.orderBy('status_since', 'desc').limit(1).executeTakeFirst();
  const domain = row === undefined ? null : await findDomainById(context.store, row.id);
  if (domain === null) return null;
  const app = await getApp(context.store, domain.app_id);
  const addresses = await findCustomerAddresses(context, app);
  return { found: presentDomain(context, addresses, domain), at: domain.status_since };
}
