import type { ApiKeyResource, CreatedApiKey, CreateKey, ListKeysQuery } from '../schema/api-key.ts';
import type { AppResource, RotatedSecret, UpdateApp } from '../schema/app.ts';
import type { Diagnosis } from '../schema/diagnosis.ts';
import type {
  ChangedDomain,
  CreateDomain,
  DomainResource,
  ListDomainsQuery,
  UpdateDomain,
} from '../schema/domain.ts';
import type { DeliveryResource, EventDetail, EventResource, ListEventsQuery } from '../schema/event.ts';
import { checkOptions } from './check-options.ts';
import { ApiError, NetworkError } from './client-error.ts';
import { type FollowEventsOptions, followEventStream } from './event-stream.ts';
import { createOpenStream } from './open-stream.ts';
import { allPages, type Page } from './pages.ts';
import { type CallOptions, createRequest, type RequestOptions, timer } from './request.ts';

export type { CallOptions, FollowEventsOptions };
/** What every function of a client throws. */
export { ApiError, NetworkError };

export interface ClientOptions extends Omit<RequestOptions, 'headers'> {
  /** `sk_live_…` or `sk_test_…`: it decides the app and the mode. Accepts `process.env.X` as it is; `createClient` throws if it is unset. */
  api_key: string | undefined;
}

/** The client of the API: section 4, one function an endpoint. `all` walks every page of a list. */
export type Client = ReturnType<typeof createClient>;

/**
 * Works in any runtime with `fetch`. Answers are returned as they came, unknown fields included.
 * Every function throws `ApiError` for an answer of 4xx or 5xx and `NetworkError` when there was none.
 * A POST carries an Idempotency-Key, so that what is sent again has its effect once; give your own to send again after a crash.
 * @throws TypeError for an option that is missing, wrong or unknown; it never shows the key.
 */
export function createClient(options: ClientOptions) {
  checkOptions(options);
  // What the emulator prints as its API ends in /v1; every path here starts with it.
  const base_url = options.base_url.replace(/\/v1\/?$/, '');
  const to_api = { ...options, base_url, headers: { authorization: `Bearer ${options.api_key}` } };
  const request = createRequest(to_api);
  const openStream = createOpenStream(to_api);

  const listKeys = (query: Partial<ListKeysQuery> = {}) =>
    request<Page<ApiKeyResource>>({ method: 'GET', path: `/v1/keys${search(query)}` });
  const listDomains = (query: Partial<ListDomainsQuery> = {}) =>
    request<Page<DomainResource>>({ method: 'GET', path: `/v1/domains${search(query)}` });
  const listEvents = (query: Partial<ListEventsQuery> = {}) =>
    request<Page<EventResource>>({ method: 'GET', path: `/v1/events${search(query)}` });

  return {
    apps: {
      get: () => request<AppResource>({ method: 'GET', path: '/v1/apps/current' }),
      update: (body: UpdateApp) => request<AppResource>({ method: 'PATCH', path: '/v1/apps/current', body }),
      /** The new secret is in this answer and nowhere else. */
      rotateSecret: (call?: CallOptions) =>
        request<RotatedSecret>({ method: 'POST', path: '/v1/apps/current/signing-secret/rotate', ...call }),
    },
    keys: {
      list: listKeys,
      all: (query: Partial<ListKeysQuery> = {}) => allPages(listKeys, query),
      /** The key is in this answer and nowhere else. */
      create: (body: CreateKey, call?: CallOptions) =>
        request<CreatedApiKey>({ method: 'POST', path: '/v1/keys', body, ...call }),
      revoke: async (id: string) => {
        await request({ method: 'DELETE', path: `/v1/keys/${segment(id)}` });
      },
    },
    domains: {
      /** Adds a domain, or answers with the one that the app already has under this hostname. */
      create: (body: CreateDomain, call?: CallOptions) =>
        request<ChangedDomain>({ method: 'POST', path: '/v1/domains', body, ...call }),
      list: listDomains,
      all: (query: Partial<ListDomainsQuery> = {}) => allPages(listDomains, query),
      get: (id: string) => request<DomainResource>({ method: 'GET', path: `/v1/domains/${segment(id)}` }),
      update: (id: string, body: UpdateDomain) =>
        request<ChangedDomain>({ method: 'PATCH', path: `/v1/domains/${segment(id)}`, body }),
      delete: async (id: string) => {
        await request({ method: 'DELETE', path: `/v1/domains/${segment(id)}` });
      },
      /** Checks the DNS now; on a `cert_failed` domain it retries the issuance. */
      verify: (id: string, call?: CallOptions) =>
        request<{ queued: true }>({ method: 'POST', path: `/v1/domains/${segment(id)}/verify`, ...call }),
      /** Looks at everything in the DNS that the domain depends on; it takes up to 20 seconds. */
      diagnose: (id: string) =>
        request<Diagnosis>({ method: 'GET', path: `/v1/domains/${segment(id)}/diagnosis` }),
    },
    events: {
      list: listEvents,
      all: (query: Partial<ListEventsQuery> = {}) => allPages(listEvents, query),
      get: (id: string) => request<EventDetail>({ method: 'GET', path: `/v1/events/${segment(id)}` }),
      /** Sends the original body again now; the receiver's answer is in `status_code`. */
      redeliver: (id: string, call?: CallOptions) =>
        request<DeliveryResource>({ method: 'POST', path: `/v1/events/${segment(id)}/redeliver`, ...call }),
      /** Events as they come, each once, through every loss of the connection, until the signal ends it. */
      follow: (follow: FollowEventsOptions = {}) => {
        const path = `/v1/events/stream${search({ type: follow.type, domain_id: follow.domain_id })}`;
        return followEventStream(openStream, path, options.sleep ?? timer, follow);
      },
    },
  };
}

/** An id as one segment of a path: `..` would lead to another endpoint. */
function segment(id: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) throw new TypeError(`"${id}" is not an id.`);
  return id;
}

/** Section 4.3: metadata filters are written `metadata.<key>=<value>`. */
function search(query: Record<string, string | number | Record<string, string> | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') parameters.set(name, String(value));
    else for (const [key, wanted] of Object.entries(value)) parameters.set(`${name}.${key}`, wanted);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
