import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import {
  apiKeyListSchema,
  connectTokenSchema,
  createConnectTokenSchema,
  createdApiKeySchema,
  createKeySchema,
  listKeysQuery,
} from './api-key.ts';
import { appSchema, rotatedSecretSchema, updateAppSchema } from './app.ts';
import { certificateListSchema, listCertificatesQuery } from './certificate.ts';
import { diagnosisSchema } from './diagnosis.ts';
import {
  changedDomainSchema,
  createDomainSchema,
  domainListSchema,
  domainSchema,
  listDomainsQuery,
  queuedSchema,
  updateDomainSchema,
} from './domain.ts';
import {
  deliverySchema,
  eventDetailSchema,
  eventListSchema,
  listEventsQuery,
  streamEventsQuery,
} from './event.ts';
import { TRAFFIC_ROUTES } from './traffic.ts';

export interface ApiRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** Details beyond the summary that a client needs: rules, limits and conditions. */
  description: string;
  tag: 'Apps' | 'Keys' | 'Domains' | 'Events';
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** True if an empty body means the same as `{}`. */
  bodyIsOptional?: true;
  /** True if the response is a stream of server-sent events, each with an Event. The stream lasts until either side ends it. */
  isStream?: true;
  /** The schema of the response body by success status; null for a response without a body. */
  responses: Record<number, z.ZodType | null>;
  /** Error codes in addition to those that every route can respond with. */
  errors: readonly ErrorCode[];
}

/** The endpoints (`docs/api.md#operations`). Both the server and the OpenAPI document come from this table, so they cannot differ. */
export const ROUTES = {
  getApp: {
    method: 'GET',
    path: '/v1/apps/current',
    summary: 'Get the app of the key',
    description:
      'Returns the app that the key belongs to, with the latest probe of its origin and the state of its white-label host.',
    tag: 'Apps',
    responses: { 200: appSchema },
    errors: [],
  },
  updateApp: {
    method: 'PATCH',
    path: '/v1/apps/current',
    summary: 'Change the app',
    description:
      'Changes the given fields. A new `origin_url` is probed before it is saved, so the response says whether it is reachable. Once the app has a live domain, a test key gets 403 `forbidden`.',
    tag: 'Apps',
    body: updateAppSchema,
    responses: { 200: appSchema },
    errors: ['forbidden', 'plan_required', 'origin_not_allowed'],
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/v1/apps/current/signing-secret/rotate',
    summary: 'Create a new signing secret; the previous one stays valid for 24 hours',
    description:
      'Returns a new signing secret. No other response contains it. The previous secret stays valid for 24 hours. A second rotation within that time replaces the new secret and keeps the previous one. Requires a live key.',
    tag: 'Apps',
    responses: { 200: rotatedSecretSchema },
    errors: ['forbidden'],
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    summary: 'List the active API keys',
    description: 'Lists the active keys. The response contains no full key. A test key sees only test keys.',
    tag: 'Keys',
    query: listKeysQuery,
    responses: { 200: apiKeyListSchema },
    errors: [],
  },
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    summary: 'Create an API key; only this response shows it in full',
    description:
      'Creates a key and returns it in full. No other response contains it. A live key requires a plan that allows it. A test key can create only test keys.',
    tag: 'Keys',
    body: createKeySchema,
    responses: { 201: createdApiKeySchema },
    errors: ['forbidden', 'live_keys_need_plan', 'card_required', 'card_declined', 'billing_unavailable'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{id}',
    summary: 'Revoke an API key',
    description:
      'Revokes the key. It stops working on every node within 5 seconds. A test key can revoke only test keys, and gets 404 for a live key.',
    tag: 'Keys',
    responses: { 204: null },
    errors: [],
  },
  createDomain: {
    method: 'POST',
    path: '/v1/domains',
    summary: 'Add a domain, or get the one that already has this hostname',
    description:
      'Adds a domain in the mode of the key and returns the DNS records to create. If the app already has the hostname, the response is 200 with that domain. If that domain had expired, your customer gets another 72 hours to add the records. `warnings` lists the parts of the request that were ignored.',
    tag: 'Domains',
    body: createDomainSchema,
    responses: { 201: changedDomainSchema, 200: changedDomainSchema },
    errors: [
      'invalid_hostname',
      'hostname_is_service',
      'hostname_is_public_suffix',
      'hostname_held',
      'live_keys_need_plan',
      'card_required',
      'domain_limit_reached',
      'origin_not_allowed',
    ],
  },
  listDomains: {
    method: 'GET',
    path: '/v1/domains',
    summary: 'List domains',
    description: "Lists the domains in the key's mode. If you give several filters, all must match.",
    tag: 'Domains',
    query: listDomainsQuery,
    responses: { 200: domainListSchema },
    errors: [],
  },
  getDomain: {
    method: 'GET',
    path: '/v1/domains/{id}',
    summary: 'Get a domain',
    description:
      'Returns a domain. The response is 404 if the domain was deleted, or belongs to another app or mode.',
    tag: 'Domains',
    responses: { 200: domainSchema },
    errors: [],
  },
  updateDomain: {
    method: 'PATCH',
    path: '/v1/domains/{id}',
    summary: 'Change a domain',
    description:
      'Changes the given fields. `metadata` and `origin_headers` are each replaced as a whole. `warnings` lists the parts of the request that were ignored.',
    tag: 'Domains',
    body: updateDomainSchema,
    responses: { 200: changedDomainSchema },
    errors: ['origin_not_allowed'],
  },
  deleteDomain: {
    method: 'DELETE',
    path: '/v1/domains/{id}',
    summary: 'Delete a domain; routing stops within 5 seconds',
    description:
      'Deletes the domain. Routing stops within 5 seconds, and the hostname can be added again at once.',
    tag: 'Domains',
    responses: { 204: null },
    errors: [],
  },
  verifyDomain: {
    method: 'POST',
    path: '/v1/domains/{id}/verify',
    summary: 'Check the DNS now; on a cert_failed domain, retry the issuance',
    description:
      'Queues a DNS check, at most one in 15 seconds per domain. If the status is `cert_failed`, retries the issuance. The response is 422 `validation_failed` if the status is `issuing`, `held` or `expired`, or for a test domain, because there is nothing to check.',
    tag: 'Domains',
    responses: { 202: queuedSchema },
    errors: [],
  },
  createConnectToken: {
    method: 'POST',
    path: '/v1/domains/{id}/connect-tokens',
    summary: "Create a token that shows the domain's records and status in your own page",
    description:
      'Returns a token for the component `<nameplate-connect>` and this one domain. A holder of the token can see what the connect page shows, and ask for a check. The token stops working when it expires or its API key is revoked. Only this response contains it.',
    tag: 'Domains',
    body: createConnectTokenSchema,
    bodyIsOptional: true,
    responses: { 201: connectTokenSchema },
    errors: [],
  },
  diagnoseDomain: {
    method: 'GET',
    path: '/v1/domains/{id}/diagnosis',
    summary: "Check a domain's DNS in full and list what is wrong",
    description:
      'Looks up every DNS record that the domain depends on and returns the findings, the most severe first, and the lookups behind them. It changes nothing and takes up to 20 seconds.',
    tag: 'Domains',
    responses: { 200: diagnosisSchema },
    errors: [],
  },
  listCertificates: {
    method: 'GET',
    path: '/v1/domains/{id}/certificates',
    summary: "List a domain's certificates, the current one and those before it",
    description:
      'Lists the certificates that the edge serves or has served for the domain, at most the latest 200. The response contains no private keys.',
    tag: 'Domains',
    query: listCertificatesQuery,
    responses: { 200: certificateListSchema },
    errors: [],
  },
  ...TRAFFIC_ROUTES,
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    summary: 'List events',
    description: "Lists the events in the key's mode, each with a summary of its delivery.",
    tag: 'Events',
    query: listEventsQuery,
    responses: { 200: eventListSchema },
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Stream events as they happen, as server-sent events',
    description:
      'Sends each event as it happens, as server-sent events. To continue after a break, send the `id` of the last frame as `Last-Event-ID`. Some events may be repeated: skip events whose own id you have handled.',
    tag: 'Events',
    query: streamEventsQuery,
    isStream: true,
    responses: { 200: null },
    errors: [],
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{id}',
    summary: 'Get an event with its deliveries',
    description:
      'Returns an event with its latest 50 deliveries, newest first, and the exact body of the requests.',
    tag: 'Events',
    responses: { 200: eventDetailSchema },
    errors: [],
  },
  redeliverEvent: {
    method: 'POST',
    path: '/v1/events/{id}/redeliver',
    summary: 'Send the original body again now, with a new signature',
    description:
      'Sends the original body again now, with a new signature, to the current webhook URL. A 2xx from the receiver ends the automatic retries of the event. Each app can redeliver 10 events a minute. The response is 422 `validation_failed` if the app has no webhook URL.',
    tag: 'Events',
    responses: { 201: deliverySchema },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;

/** Returns whether a route changes something. A suspended account cannot use such a route. */
export const isChange = ({ method }: Pick<ApiRoute, 'method'>) => method !== 'GET';
/** Returns whether the request body is read, with a limit on its size, even if the operation ignores the body. */
export const readsBody = ({ method }: Pick<ApiRoute, 'method'>) => method === 'POST' || method === 'PATCH';
export const takesIdempotencyKey = ({ method }: Pick<ApiRoute, 'method'>) => method === 'POST';
export const takesId = ({ path }: Pick<ApiRoute, 'path'>) => path.includes('{id}');

export type OperationId = keyof typeof ROUTES;
/** The operations that respond with one JSON document. */
export type DocumentId = Exclude<OperationId, 'streamEvents'>;
export type ParsedBody<Id extends OperationId> = (typeof ROUTES)[Id] extends {
  body: infer B extends z.ZodType;
}
  ? z.infer<B>
  : null;
export type ParsedQuery<Id extends OperationId> = (typeof ROUTES)[Id] extends {
  query: infer Q extends z.ZodType;
}
  ? z.infer<Q>
  : null;
type SuccessResponses<Id extends OperationId> = (typeof ROUTES)[Id]['responses'];
/** The body of an operation's success response. */
export type ResponseBody<Id extends OperationId> = {
  [Status in keyof SuccessResponses<Id>]: SuccessResponses<Id>[Status] extends z.ZodType
    ? z.infer<SuccessResponses<Id>[Status]>
    : null;
}[keyof SuccessResponses<Id>];
