import type { ApiRoute } from './routes.ts';
import { domainTrafficQuery, domainTrafficSchema, trafficQuery, trafficSchema } from './traffic.ts';

/** The endpoints of traffic (`docs/api.md#traffic`). */
export const TRAFFIC_ROUTES = {
  getDomainTraffic: {
    method: 'GET',
    path: '/v1/domains/{id}/traffic',
    summary: "Get a domain's traffic by hour or day",
    description:
      'Returns the requests, bytes, statuses and latencies that the edge counted for the domain, as totals and for each hour or day. Hours are kept for 14 days. The latest counts can be missing for some 15 seconds.',
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
