import * as z from 'zod';
import { OUTBOUND_ERRORS } from '../core/webhooks/delivery.ts';
import { EVENT_TYPES } from '../core/webhooks/event.ts';
import { domainSchema } from './domain.ts';
import {
  cursorQuery,
  limitQuery,
  listOf,
  nullableTimestamp,
  openList,
  statusSchema,
  timestampSchema,
} from './fields.ts';

const DELIVERY_STATUSES = ['delivered', 'pending', 'failed', 'none'] as const;

/** The event types. The list is open, because v1 may gain event types, though not domain statuses (`docs/api.md#versioning`). */
const eventTypeSchema = z
  .string()
  .meta({ id: 'EventType', ...openList(EVENT_TYPES, 'What happened. Skip a type that you do not know.') });

/** A filter by type. The list is closed, because a filter can only name a type that this server knows. */
const eventTypeFilter = z.enum(EVENT_TYPES).optional().describe('Only events of this type');

const deliveryFilter = z
  .enum(DELIVERY_STATUSES)
  .optional()
  .describe('Only events whose delivery has this status');

/** The delivery summary of an event (`docs/api.md#event`). */
export const deliverySummarySchema = z
  .object({
    status: z
      .enum(DELIVERY_STATUSES)
      .describe('delivered, pending, failed (no retries are left), or none (no webhook URL was set)'),
    attempts: z.int().describe('Number of attempts, including redeliveries'),
    last_status_code: z.int().nullable().describe('HTTP status of the last attempt; null without a response'),
    last_error: z
      .string()
      .nullable()
      .meta(openList(OUTBOUND_ERRORS, 'Why the last attempt had no HTTP response.')),
    last_attempt_at: nullableTimestamp.describe('When the last attempt was made'),
    next_attempt_at: nullableTimestamp.describe(
      'Next automatic attempt while pending; null while the event waits behind an earlier one of its domain',
    ),
  })
  .meta({ id: 'DeliverySummary' });

/** An event (`docs/api.md#event`). */
export const eventSchema = z
  .object({
    id: z.string().describe('`evt_…`'),
    type: eventTypeSchema,
    domain_id: z.string().describe('The domain concerned'),
    hostname: z.string().describe('Hostname of that domain'),
    previous_status: statusSchema.nullable().describe('The status before the event'),
    status: statusSchema.nullable().describe('The status that the event moved to'),
    created_at: timestampSchema,
    delivery: deliverySummarySchema.describe('Summary of its deliveries'),
  })
  .meta({ id: 'Event' });
export type EventResource = z.infer<typeof eventSchema>;

/** A delivery attempt (`docs/api.md#delivery`). */
export const deliverySchema = z
  .object({
    id: z.string().describe('`dlv_…`'),
    event_id: z.string().describe('The event that was sent'),
    attempt: z.int().describe('1 for the first attempt of the event, then 2, 3, …'),
    status_code: z.int().nullable().describe("The receiver's HTTP status; null if it did not respond"),
    response_ms: z.int().nullable().describe('Response time in milliseconds'),
    error: z.string().nullable().meta(openList(OUTBOUND_ERRORS, 'Why there was no HTTP response.')),
    delivered_at: nullableTimestamp.describe('When a 2xx was received'),
    next_attempt_at: nullableTimestamp.describe('When the automatic retry after this attempt was due'),
    created_at: timestampSchema,
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Some of the headers of the receiver's response, such as `content-type` and `location`"),
    response_body: z.string().nullable().describe("The first 2 KB of the receiver's response"),
  })
  .meta({ id: 'Delivery' });
export type DeliveryResource = z.infer<typeof deliverySchema>;

export const eventDetailSchema = eventSchema
  .extend({
    deliveries: z.array(deliverySchema).describe('Newest first, at most 50'),
    body: z
      .string()
      .nullable()
      .describe(
        'The body of every delivery, exactly as it is signed and sent; null if it is no longer stored',
      ),
  })
  .meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof eventDetailSchema>;

export const eventListSchema = listOf(eventSchema, 'EventList');
export type EventList = z.infer<typeof eventListSchema>;

export const listEventsQuery = z.object({
  domain_id: z.string().min(1).max(64).optional().describe('Only events of this domain'),
  type: eventTypeFilter,
  delivery: deliveryFilter,
  limit: limitQuery,
  cursor: cursorQuery,
});
export type ListEventsQuery = z.infer<typeof listEventsQuery>;

export const streamEventsQuery = listEventsQuery.pick({ domain_id: true, type: true });
export type StreamEventsQuery = z.infer<typeof streamEventsQuery>;

/** The body of a webhook request (`docs/api.md#webhooks`). */
export const webhookBodySchema = z
  .object({
    id: z.string().describe('Id of the event: `evt_…`'),
    type: eventTypeSchema,
    created_at: timestampSchema,
    data: z
      .object({
        domain: domainSchema.describe('The domain as it was when the event happened'),
        previous_status: statusSchema.nullable().describe('The status before the event'),
      })
      .describe('The facts of the event'),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookBody = z.infer<typeof webhookBodySchema>;
