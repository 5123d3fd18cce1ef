import * as z from 'zod';
import { LATENCY_BOUNDS_MS } from '../core/traffic/traffic-counts.ts';
import { TRAFFIC_INTERVALS } from '../core/traffic/traffic-range.ts';
import { limitQuery, openList, timestampSchema } from './fields.ts';
import type { ApiRoute } from './routes.ts';

/** An open list, because a later version may offer other intervals. */
const intervalSchema = z.string().meta(openList(TRAFFIC_INTERVALS, 'The length of a bucket.'));

const count = (description: string) => z.int().min(0).describe(description);
const latency = (share: string) =>
  z
    .int()
    .min(0)
    .nullable()
    .describe(
      `${share} of the origin's responses began within this time, estimated from the histogram; null without any`,
    );

/** The traffic counts of a period (`docs/api.md#traffic`). */
export const trafficCountsSchema = z
  .object({
    requests: count('Requests that ended in the period'),
    bytes_in: count('Bytes that visitors sent, with headers'),
    bytes_out: count('Bytes that visitors were sent, with headers'),
    status_1xx: count('WebSockets, whose status is 101'),
    status_2xx: count('Responses with a status from 200 to 299'),
    status_3xx: count('Responses with a status from 300 to 399'),
    status_4xx: count('Responses with a status from 400 to 499'),
    status_5xx: count('Responses with a status of 500 or more'),
    aborted: count('Requests whose visitor left before a response'),
    origin_errors: count('Requests that the edge answered with 502, 503 or 504, because the origin failed'),
    latency_p50_ms: latency('Half'),
    latency_p95_ms: latency('95 %'),
    latency_p99_ms: latency('99 %'),
    latency_counts: z
      .array(z.int().min(0))
      .describe(
        "Number of the origin's responses by latency: one count for each bound, then one for the slower ones",
      ),
  })
  .meta({ id: 'TrafficCounts' });
export type TrafficCountsResource = z.infer<typeof trafficCountsSchema>;

export const trafficBucketSchema = trafficCountsSchema
  .extend({ start: timestampSchema.describe('Start of the hour or day') })
  .meta({ id: 'TrafficBucket' });

const rangeFields = {
  interval: intervalSchema,
  since: timestampSchema.describe('Start of the first bucket'),
  until: timestampSchema.describe('End of the last bucket'),
  latency_bounds_ms: z
    .array(z.int())
    .describe(`The upper bounds of the latency histogram: ${LATENCY_BOUNDS_MS.join(', ')}`),
  totals: trafficCountsSchema.describe('The sums of all buckets'),
  buckets: z
    .array(trafficBucketSchema)
    .describe('Every hour or day of the range, oldest first, also those without requests'),
};

/** The traffic of a domain (`docs/api.md#traffic`). */
export const domainTrafficSchema = z
  .object({
    domain_id: z.string().describe('The domain'),
    hostname: z.string().describe('Its hostname'),
    ...rangeFields,
  })
  .meta({ id: 'DomainTraffic' });
export type DomainTraffic = z.infer<typeof domainTrafficSchema>;

export const topDomainSchema = trafficCountsSchema
  .extend({
    domain_id: z.string().describe('The domain'),
    hostname: z.string().nullable().describe('Null if the domain was deleted'),
  })
  .meta({ id: 'TopDomain' });

/** The traffic of an app (`docs/api.md#traffic`). */
export const trafficSchema = z
  .object({
    ...rangeFields,
    top_domains: z
      .array(topDomainSchema)
      .describe('The domains with the most requests in the range, most first'),
  })
  .meta({ id: 'Traffic' });
export type Traffic = z.infer<typeof trafficSchema>;

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Accepts an RFC 3339 time with any offset, or a date. */
const momentQuery = (description: string) =>
  z
    .string()
    .max(40)
    .refine(
      (text) => moment.safeParse(text).success,
      'must be a time such as 2026-11-20T09:00:00Z, or a date',
    )
    .optional()
    .describe(description);

export const domainTrafficQuery = z.object({
  since: momentQuery(
    'Start: a time such as `2026-11-20T09:00:00Z`, or a date in UTC. It is rounded down to a whole hour or day. By default, 24 hours or 30 days before the end.',
  ),
  until: momentQuery('End, in the same form, rounded up. By default, now.'),
  interval: z
    .enum(TRAFFIC_INTERVALS)
    .default('hour')
    .describe('The length of a bucket. Days begin at midnight UTC.'),
});
export type DomainTrafficQuery = z.infer<typeof domainTrafficQuery>;

export const trafficQuery = domainTrafficQuery.extend({ limit: limitQuery });
export type TrafficQuery = z.infer<typeof trafficQuery>;

/** The endpoints of traffic (`docs/api.md#traffic`). */
export const TRAFFIC_ROUTES = {
  getDomainTraffic: {
    method: 'GET',
    path: '/v1/domains/{id}/traffic',
    summary: "Get a domain's traffic by hour or day",
    description:
      'Returns the requests, bytes, statuses and latencies that the edge counted for the domain, as totals and for each hour or day. Hours are kept for 14 days. The counts can be about 15 seconds behind.',
    tag: 'Domains',
    query: domainTrafficQuery,
    responses: { 200: domainTrafficSchema },
    errors: [],
  },
  getTraffic: {
    method: 'GET',
    path: '/v1/traffic',
    summary: "Get the traffic of all the app's domains, and the domains with the most of it",
    description:
      "Returns what the edge counted for all domains in the key's mode, as totals and for each hour or day, and the domains with the most requests. It includes domains that have been deleted since.",
    tag: 'Domains',
    query: trafficQuery,
    responses: { 200: trafficSchema },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
