import type { z } from 'zod';
import type { ErrorCode } from '../core/errors.ts';
import { apiKeyListSchema, createdApiKeySchema, createKeySchema, listKeysQuery } from './api-key.ts';
import { appSchema, rotatedSecretSchema, updateAppSchema } from './app.ts';
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

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  tag: 'Apps' | 'Keys' | 'Domains' | 'Events';
  query?: z.ZodType;
  body?: z.ZodType;
  /** True where the answer is server-sent events, each an Event, and goes on until either side ends it. */
  is_stream?: true;
  /** Success statuses with the shape of the body; null has none. */
  answers: Record<number, z.ZodType | null>;
  /** Codes beyond those that every route can answer. */
  errors: readonly ErrorCode[];
}

/** Section 4: the endpoints. `http` serves this table and `openapi.ts` describes it, so the two cannot differ. */
export const ROUTES = {
  getApp: {
    method: 'GET',
    path: '/v1/apps/current',
    summary: 'The app of the key',
    tag: 'Apps',
    answers: { 200: appSchema },
    errors: [],
  },
  updateApp: {
    method: 'PATCH',
    path: '/v1/apps/current',
    summary: 'Change the app',
    tag: 'Apps',
    body: updateAppSchema,
    answers: { 200: appSchema },
    errors: ['forbidden', 'plan_required', 'origin_not_allowed'],
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/v1/apps/current/signing-secret/rotate',
    summary: 'Make a new signing secret; the previous one stays valid for 24 hours',
    tag: 'Apps',
    answers: { 200: rotatedSecretSchema },
    errors: ['forbidden'],
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    summary: 'List the active API keys',
    tag: 'Keys',
    query: listKeysQuery,
    answers: { 200: apiKeyListSchema },
    errors: [],
  },
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    summary: 'Create an API key; the answer is the only place that shows it',
    tag: 'Keys',
    body: createKeySchema,
    answers: { 201: createdApiKeySchema },
    errors: ['forbidden', 'live_keys_need_plan', 'card_required', 'card_declined', 'billing_unavailable'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{id}',
    summary: 'Revoke an API key',
    tag: 'Keys',
    answers: { 204: null },
    errors: [],
  },
  createDomain: {
    method: 'POST',
    path: '/v1/domains',
    summary: 'Add a domain, or get the one that the app has under this hostname',
    tag: 'Domains',
    body: createDomainSchema,
    answers: { 201: changedDomainSchema, 200: changedDomainSchema },
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
    tag: 'Domains',
    query: listDomainsQuery,
    answers: { 200: domainListSchema },
    errors: [],
  },
  getDomain: {
    method: 'GET',
    path: '/v1/domains/{id}',
    summary: 'Get a domain',
    tag: 'Domains',
    answers: { 200: domainSchema },
    errors: [],
  },
  updateDomain: {
    method: 'PATCH',
    path: '/v1/domains/{id}',
    summary: 'Change a domain',
    tag: 'Domains',
    body: updateDomainSchema,
    answers: { 200: changedDomainSchema },
    errors: ['origin_not_allowed'],
  },
  deleteDomain: {
    method: 'DELETE',
    path: '/v1/domains/{id}',
    summary: 'Delete a domain; routing stops within 5 seconds',
    tag: 'Domains',
    answers: { 204: null },
    errors: [],
  },
  verifyDomain: {
    method: 'POST',
    path: '/v1/domains/{id}/verify',
    summary: 'Check the DNS now; on a cert_failed domain, retry the issuance',
    tag: 'Domains',
    answers: { 202: queuedSchema },
    errors: [],
  },
  diagnoseDomain: {
    method: 'GET',
    path: '/v1/domains/{id}/diagnosis',
    summary: 'Look at everything in the DNS that a domain depends on, and say what is wrong',
    tag: 'Domains',
    answers: { 200: diagnosisSchema },
    errors: [],
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    summary: 'List events',
    tag: 'Events',
    query: listEventsQuery,
    answers: { 200: eventListSchema },
    errors: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Follow events as they come, as server-sent events',
    tag: 'Events',
    query: streamEventsQuery,
    is_stream: true,
    answers: { 200: null },
    errors: [],
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{id}',
    summary: 'Get an event with its deliveries',
    tag: 'Events',
    answers: { 200: eventDetailSchema },
    errors: [],
  },
  redeliverEvent: {
    method: 'POST',
    path: '/v1/events/{id}/redeliver',
    summary: 'Send the original body again now, freshly signed',
    tag: 'Events',
    answers: { 201: deliverySchema },
    errors: [],
  },
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
/** The operations that answer with one document. */
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
type Answers<Id extends OperationId> = (typeof ROUTES)[Id]['answers'];
/** The body of an operation's success answer. */
export type AnswerBody<Id extends OperationId> = {
  [Status in keyof Answers<Id>]: Answers<Id>[Status] extends z.ZodType ? z.infer<Answers<Id>[Status]> : null;
}[keyof Answers<Id>];
