import { sql } from 'kysely';
import * as z from 'zod';
import { verifyWebhook, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId, DomainId, EventId, KeyId } from '../../shared/core/ids.ts';
import type { StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { signWebhook } from '../../shared/core/webhooks/signature.ts';
import type { Context } from '../../shared/operations/context.ts';
import { presentDelivery, presentEvents } from '../../shared/operations/events/present-event.ts';
import { redeliverEvent } from '../../shared/operations/events/redeliver-event.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { listDeliveries } from '../../shared/store/events/deliveries.ts';
import { eventOf } from '../../shared/store/events/events.ts';
import type { InspectedEvent, ListedEvent, Listing, SignatureVerdict } from '../lab/responses.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema } from './bodies.ts';
import { listPageSchema, matchesSearch, NEWEST_FIRST, readListQuery } from './list-page.ts';

const querySchema = listPageSchema.extend({
  domain_id: z.string().max(64).optional(),
  type: z.enum(EVENT_TYPES).optional(),
  delivery: z.enum(['delivered', 'pending', 'failed', 'none']).optional(),
});

/** Lists the events of all apps, newest first. */
export const listAllEvents: ControlAction = async ({ emulator, query }): Promise<Listing<ListedEvent>> => {
  const { offset, limit, ...filter } = readListQuery(querySchema, query);
  const { app_id, mode, search, domain_id, type, delivery } = filter;
  let matching = emulator.context.store.db.selectFrom('events');
  if (app_id) matching = matching.where('app_id', '=', app_id as AppId);
  if (mode) matching = matching.where('mode', '=', mode);
  if (domain_id) matching = matching.where('domain_id', '=', domain_id as DomainId);
  if (type) matching = matching.where('type', '=', type);
  if (delivery) matching = matching.where('delivery_status', '=', delivery);
  if (search) matching = matching.where(matchesSearch(search, 'id', 'domain_id'));
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // Select row ids first: sorting whole rows would copy every body, and lists do not show bodies.
  const rowIds = matching
    .select(sql<number>`rowid`.as('id_of_row'))
    .orderBy(NEWEST_FIRST)
    .limit(limit)
    .offset(offset);
  const rows = await emulator.context.store.db
    .selectFrom('events')
    .selectAll()
    .select(sql<string>`''`.as('body'))
    .where(sql<number>`rowid`, 'in', rowIds)
    .orderBy(NEWEST_FIRST)
    .execute();
  const shown = await presentEvents(emulator.context.store, rows.map(eventOf));
  const data = shown.flatMap((event, i) => rows.slice(i, i + 1).map(({ app_id }) => ({ app_id, ...event })));
  return { total: count, offset, data };
};

/** Shows an event of any app, with its delivery attempts and its body. */
export const inspectEvent: ControlAction = async ({ emulator, param }): Promise<InspectedEvent> => {
  const event = await findAnyEvent(emulator.context, param);
  const [shown] = await presentEvents(emulator.context.store, [event]);
  const deliveries = await listDeliveries(emulator.context.store, event.id);
  return {
    app_id: event.app_id,
    ...shown,
    deliveries: deliveries.map(presentDelivery),
    body: event.body,
  };
};

/** Redelivers an event like the API's own endpoint, but needs no API key. */
export const redeliverAny: ControlAction = async ({ emulator, param, body }) => {
  readAs(emptySchema, body);
  const { context } = emulator;
  const event = await findAnyEvent(context, param);
  const { account_id } = await getApp(context.store, event.app_id);
  const { app_id, mode } = event;
  const caller = { app_id, account_id, key_id: '' as KeyId, mode, idempotency: null };
  return (await redeliverEvent(context, caller, { params: { id: event.id } })).body;
};

const signatureSchema = z.strictObject({ header: z.string().max(4096).optional() });

/**
 * Verifies a signature header as a receiver with the app's secrets does. Without a given header, signs the event now and verifies that
 * signature.
 */
export const checkEventSignature: ControlAction = async ({
  emulator,
  param,
  body: given,
}): Promise<SignatureVerdict> => {
  const { context } = emulator;
  const { header: pasted } = readAs(signatureSchema, given);
  const { app_id, body } = await findAnyEvent(context, param);
  const secrets = openSigningSecrets(context, await getApp(context.store, app_id));
  const now = new Date(context.wallClock.now());
  const timestampS = Math.floor(now.getTime() / 1000);
  const value = pasted?.trim() || signWebhook({ secrets, timestampS, body });
  const header = context.settings.names.signature_header;
  try {
    await verifyWebhook({ body, secret: secrets, signature: value, now });
    return { header, value, accepted: true, message: "A receiver with this app's secret accepts it." };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return { header, value, accepted: false, message: error.message };
  }
};

/** Finds an event of any app. @throws ServiceError `not_found`. */
async function findAnyEvent({ store }: Context, id: string): Promise<StoredEvent> {
  const row = await store.db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id as EventId)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('not_found');
  return eventOf(row);
}
