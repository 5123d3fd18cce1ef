import type {
  ApiKeyResource,
  ConnectTokenResource,
  CreateConnectToken,
  CreatedApiKey,
  CreateKey,
  ListKeysQuery,
} from '../schema/api-key.ts';
import type { AppResource, RotatedSecret, UpdateApp } from '../schema/app.ts';
import type { CertificateResource, ListCertificatesQuery } from '../schema/certificate.ts';
import type { Diagnosis } from '../schema/diagnosis.ts';
import type {
  ChangedDomain,
  CreateDomain,
  DomainResource,
  ListDomainsQuery,
  UpdateDomain,
} from '../schema/domain.ts';
import type { DeliveryResource, EventDetail, EventResource, ListEventsQuery } from '../schema/event.ts';
import type { DomainTraffic, DomainTrafficQuery, Traffic, TrafficQuery } from '../schema/traffic.ts';
import { ApiError, NetworkError } from './client-error.ts';
import { createOpenStream, type FollowEventsOptions, followEventStream } from './event-stream.ts';
import { allPages, type Page } from './pages.ts';
import {
  type Call,
  type CallOptions,
  createRequest,
  isApiPath,
  type RequestOptions,
  timer,
} from './request.ts';

export type { Call, CallOptions, FollowEventsOptions };
/** The errors that every function of a client can throw. */
export { ApiError, NetworkError };

/** You can pass `process.env.X` for each text: `createClient` throws if the variable is unset. */
export interface ClientOptions extends Omit<RequestOptions, 'headers' | 'baseUrl'> {
  /** `sk_live_…` or `sk_test_…`. The key selects the app and the mode. */
  apiKey: string | undefined;
  /** URL of the API, with or without `/v1`. */
  baseUrl: string | undefined;
}

/** The fields of a query, each of which may be left out or be undefined. */
type Query<T> = { [K in keyof T]?: T[K] | undefined };
/** The options of a call that needs no Idempotency-Key. */
type Plain = Pick<CallOptions, 'signal'>;

/** A client of the API, with one function per endpoint (`docs/api.md#operations`). `all` iterates over every page of a list. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client. The client works in any runtime with `fetch`, and returns responses unchanged, including unknown fields. Its functions
 * throw `ApiError` for a response of 4xx or 5xx, and `NetworkError` if there was no response. Every POST has an Idempotency-Key, so that a
 * retry takes effect only once. Pass your own key to repeat a request after a crash.
 * @throws TypeError for an option that is missing, wrong or unknown. The message never contains the key.
 */
export function createClient(options: ClientOptions) {
  checkClientOptions(options);
  // The URL that the emulator prints ends with /v1, which is removed here, because every path below starts with /v1.
  const baseUrl = String(options.baseUrl).replace(/\/v1\/?$/, '');
  const toApi = { ...options, baseUrl, headers: { authorization: `Bearer ${options.apiKey}` } };
  const request = createRequest(toApi);
  const openStream = createOpenStream(toApi);

  const listKeys = (query: Query<ListKeysQuery> = {}, call?: Plain) =>
    request<Page<ApiKeyResource>>({ method: 'GET', path: `/v1/keys${search(query)}`, ...call });
  const listDomains = (query: Query<ListDomainsQuery> = {}, call?: Plain) =>
    request<Page<DomainResource>>({ method: 'GET', path: `/v1/domains${search(query)}`, ...call });
  const listEvents = (query: Query<ListEventsQuery> = {}, call?: Plain) =>
    request<Page<EventResource>>({ method: 'GET', path: `/v1/events${search(query)}`, ...call });

  return {
    /**
     * Sends a request to an endpoint without a function in this client, with the same retries and errors.
     * @param call the request. Its path begins with `/v1/`.
     */
    request: async <T = unknown>(call: Call): Promise<T> => {
      if (!isApiPath(call.path)) throw new TypeError(`"${call.path}" is not a path of the API.`);
      return request<T>(call);
    },
    apps: {
      get: (call?: Plain) => request<AppResource>({ method: 'GET', path: '/v1/apps/current', ...call }),
      update: (body: UpdateApp, call?: Plain) =>
        request<AppResource>({ method: 'PATCH', path: '/v1/apps/current', body, ...call }),
      /** Creates a new signing secret. Only this response contains it. */
      rotateSecret: (call?: CallOptions) =>
        request<RotatedSecret>({ method: 'POST', path: '/v1/apps/current/signing-secret/rotate', ...call }),
    },
    keys: {
      list: listKeys,
      all: (query: Query<ListKeysQuery> = {}, call?: Plain) => allPages(listKeys, query, call),
      /** Creates a key. Only this response contains the full key. */
      create: (body: CreateKey, call?: CallOptions) =>
        request<CreatedApiKey>({ method: 'POST', path: '/v1/keys', body, ...call }),
      revoke: async (id: string, call?: Plain) => {
        await request({ method: 'DELETE', path: `/v1/keys/${segment(id)}`, ...call });
      },
    },
    domains: {
      /** Adds a domain. If the app already has this hostname, returns that domain. */
      create: (body: CreateDomain, call?: CallOptions) =>
        request<ChangedDomain>({ method: 'POST', path: '/v1/domains', body, ...call }),
      list: listDomains,
      all: (query: Query<ListDomainsQuery> = {}, call?: Plain) => allPages(listDomains, query, call),
      get: (id: string, call?: Plain) =>
        request<DomainResource>({ method: 'GET', path: `/v1/domains/${segment(id)}`, ...call }),
      update: (id: string, body: UpdateDomain, call?: Plain) =>
        request<ChangedDomain>({ method: 'PATCH', path: `/v1/domains/${segment(id)}`, body, ...call }),
      delete: async (id: string, call?: Plain) => {
        await request({ method: 'DELETE', path: `/v1/domains/${segment(id)}`, ...call });
      },
      /** Queues a DNS check. For a domain in `cert_failed`, retries the issuance. */
      verify: (id: string, call?: CallOptions) =>
        request<{ queued: true }>({ method: 'POST', path: `/v1/domains/${segment(id)}/verify`, ...call }),
      /** Creates a token for the component `<nameplate-connect>`. The token shows this one domain, and expires. */
      createConnectToken: (id: string, body: Query<CreateConnectToken> = {}, call?: CallOptions) =>
        request<ConnectTokenResource>({
          method: 'POST',
          path: `/v1/domains/${segment(id)}/connect-tokens`,
          body,
          ...call,
        }),
      /** Looks up everything in the DNS that the domain depends on, and returns the problems found. Takes up to 20 seconds. */
      diagnose: (id: string, call?: Plain) =>
        request<Diagnosis>({ method: 'GET', path: `/v1/domains/${segment(id)}/diagnosis`, ...call }),
      /** Lists the certificates that the edge serves or has served for a domain. */
      certificates: (id: string, query: Query<ListCertificatesQuery> = {}, call?: Plain) =>
        request<Page<CertificateResource>>({
          method: 'GET',
          path: `/v1/domains/${segment(id)}/certificates${search(query)}`,
          ...call,
        }),
      /** Returns the traffic of a domain by hour or day, as counted by the edge. */
      traffic: (id: string, query: Query<DomainTrafficQuery> = {}, call?: Plain) =>
        request<DomainTraffic>({
          method: 'GET',
          path: `/v1/domains/${segment(id)}/traffic${search(query)}`,
          ...call,
        }),
    },
    traffic: {
      /** Returns the traffic of all domains of the app, and the domains with the most requests. */
      get: (query: Query<TrafficQuery> = {}, call?: Plain) =>
        request<Traffic>({ method: 'GET', path: `/v1/traffic${search(query)}`, ...call }),
    },
    events: {
      list: listEvents,
      all: (query: Query<ListEventsQuery> = {}, call?: Plain) => allPages(listEvents, query, call),
      get: (id: string, call?: Plain) =>
        request<EventDetail>({ method: 'GET', path: `/v1/events/${segment(id)}`, ...call }),
      /** Sends the event's original body again now. `status_code` of the result is the status of your receiver's response. */
      redeliver: (id: string, call?: CallOptions) =>
        request<DeliveryResource>({ method: 'POST', path: `/v1/events/${segment(id)}/redeliver`, ...call }),
      /** Yields events as they happen, each once. Reconnects after a lost connection, until the signal aborts. */
      follow: (follow: FollowEventsOptions = {}) => {
        const path = `/v1/events/stream${search({ type: follow.type, domain_id: follow.domain_id })}`;
        return followEventStream(openStream, path, options.sleep ?? timer, follow);
      },
    },
  };
}

/** Checks an id that becomes a segment of a path. An id such as `..` would lead to another endpoint. */
function segment(id: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) throw new TypeError(`"${id}" is not an id.`);
  return id;
}

/** Builds a query string. Metadata filters are written `metadata.<key>=<value>` (`docs/api.md#domains`). */
function search(query: Record<string, string | number | Record<string, string> | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') parameters.set(name, String(value));
    else for (const [key, wanted] of Object.entries(value)) parameters.set(`${name}.${key}`, wanted);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

const TESTS: { readonly [Name in keyof Required<ClientOptions>]: (value: unknown) => string | null } = {
  // The error message does not repeat the value, because it may be a mistyped key.
  apiKey: (value) =>
    typeof value === 'string' && /^sk_(live|test)_[0-9A-Za-z]+$/.test(value)
      ? null
      : 'must be an API key, which starts with sk_live_ or sk_test_',
  baseUrl: (value) => (isAddress(value) ? null : 'must be the http or https URL of the API'),
  fetch: (value) => (typeof value === 'function' ? null : 'must be a function'),
  sleep: (value) => (typeof value === 'function' ? null : 'must be a function'),
  retries: (value) =>
    Number.isInteger(value) && Number(value) >= 0 ? null : 'must be a whole number, at least 0',
  timeoutMs: (value) =>
    isDuration(value) && value > 0 ? null : 'must be a number of milliseconds, more than 0',
  maxWaitMs: (value) => (isDuration(value) ? null : 'must be a number of milliseconds, at least 0'),
};

const REQUIRED: readonly string[] = ['apiKey', 'baseUrl'] satisfies (keyof ClientOptions)[];

/** Checks the options of a client. Suggests the known option for a misspelled one. @throws TypeError if an option is wrong. */
export function checkClientOptions(options: ClientOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createClient takes { apiKey, baseUrl }.');
  const names = Object.keys(TESTS);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const meant = names.find((known) => known.toLowerCase() === name.replaceAll('_', '').toLowerCase());
    throw new TypeError(`createClient has no option ${name}${meant ? `: use ${meant}` : ''}.`);
  }
  for (const [name, test] of Object.entries(TESTS)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && !REQUIRED.includes(name)) continue;
    if (value === undefined) throw new TypeError(`${name} is missing${HINTS[name] ?? ''}.`);
    const problem = test(value);
    if (problem !== null) throw new TypeError(`${name} ${problem}.`);
  }
}

const HINTS: Readonly<Record<string, string>> = {
  apiKey: ': pass process.env.NAMEPLATE_API_KEY, for example, and check that it is set',
  baseUrl: ': the emulator prints its own, by default http://127.0.0.1:4400',
};

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
