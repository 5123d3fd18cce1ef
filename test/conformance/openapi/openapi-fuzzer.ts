import fc from 'fast-check';
import type { CreatedApp, Driver } from '../driver.ts';
import {
  type FuzzedRequest,
  KNOWN_DOMAIN,
  LAST_CURSOR,
  type OpenApiDocument,
  requestsOf,
} from './openapi-requests.ts';

/** Number of API keys for each mode. */
const KEYS = 4;
/** Number of live domains to create. `verify` works only for live domains, and few generated requests create one. */
const DOMAINS = 9;
const ID_PREFIXES: Readonly<Record<string, string>> = { keys: 'key', domains: 'dom', events: 'evt' };

/** The response to one request. */
export interface FuzzedResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends requests to one app of a server. Takes ids and cursors from earlier responses. */
export interface Fuzzer {
  /** Sends a request. @param index selects one of the app's keys. */
  send(request: FuzzedRequest, index: number): Promise<FuzzedResponse>;
}

/** Returns the server's document without the event stream, which never ends. */
export async function openApiDocumentOf({ base_url }: Pick<Driver, 'base_url'>): Promise<OpenApiDocument> {
  const document = (await (await fetch(`${base_url}/v1/openapi.json`)).json()) as OpenApiDocument;
  delete document.paths['/v1/events/stream'];
  return document;
}

/** Generates requests. The same seed gives the same requests. */
export function sampleRequests(document: OpenApiDocument, count: number, seed: number): FuzzedRequest[] {
  return fc.sample(requestsOf(document), { numRuns: count, seed });
}

/** Creates keys in both modes, and domains, for an app. */
export async function createFuzzer(
  { base_url, advance }: Pick<Driver, 'base_url' | 'advance'>,
  { live_key }: Pick<CreatedApp, 'live_key'>,
): Promise<Fuzzer> {
  const ids = new Map<string, Set<string>>();
  const cursors = new Map<string, string>();

  async function call(
    method: string,
    path: string,
    key: string,
    headers: Record<string, string> = {},
    body: string | null = null,
  ): Promise<FuzzedResponse> {
    const response = await fetch(base_url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function create(path: string, fields: object): Promise<Named> {
    const { status, text } = await call('POST', path, live_key, {}, JSON.stringify(fields));
    if (status !== 201) throw new Error(`POST ${path} got ${status}: ${text}`);
    // Moves the clock, so that no two changes have the same time. Lists sort equal times by random ids.
    await advance('10ms');
    return JSON.parse(text) as Named;
  }

  /**
   * Collects the ids of created and listed resources. Leaves out listed keys, because a request that revokes one would disable the fuzzer
   * itself.
   */
  function remember(operationId: string, { id, data = [], next_cursor = null }: Named): void {
    if (next_cursor !== null) cursors.set(operationId, next_cursor);
    if (operationId === 'listKeys') return;
    for (const each of [id, ...data.map((item) => item.id)]) {
      if (each === undefined) continue;
      const prefix = each.slice(0, 3);
      ids.set(prefix, (ids.get(prefix) ?? new Set()).add(each));
    }
  }

  const first = JSON.parse((await call('GET', '/v1/keys', live_key)).text) as Named;
  const keys: string[] = [];
  for (let n = 0; n < 2 * KEYS; n++) {
    const { key } = await create('/v1/keys', { name: `Key ${n}`, mode: n % 2 === 0 ? 'live' : 'test' });
    keys.push(String(key));
  }
  for (let n = 0; n < DOMAINS; n++)
    remember('createDomain', await create('/v1/domains', { hostname: `live-${n}.acme.com` }));
  // Revokes the app's first keys. They were created at the same time, so a list would sort them by their random ids.
  for (const { id } of first.data ?? []) await call('DELETE', `/v1/keys/${id}`, keys[0] ?? '');

  return {
    async send(request, index) {
      const known = [...(ids.get(ID_PREFIXES[request.path.split('/')[2] ?? ''] ?? '') ?? [])];
      const knownId = request.idChoice === null ? undefined : known[request.idChoice % known.length];
      const id = encodeURIComponent(knownId ?? request.strangeId.toWellFormed());
      const meant = new Map([
        [LAST_CURSOR, cursors.get(request.operationId)],
        [KNOWN_DOMAIN, [...(ids.get('dom') ?? [])][index]],
      ]);
      const query = new URLSearchParams();
      for (const [name, value] of request.query) {
        const sent = meant.has(value) ? meant.get(value) : value;
        if (sent !== undefined) query.append(name, sent);
      }
      const path = `${request.path.replace('{id}', id)}?${query}`;
      const key = keys[index % keys.length] ?? '';
      const response = await call(request.method, path, key, request.headers, request.body);
      if (response.status >= 300) return response;
      if (request.method === 'DELETE' && knownId) ids.get(knownId.slice(0, 3))?.delete(knownId);
      if (response.text !== '') remember(request.operationId, JSON.parse(response.text));
      return response;
    },
  };
}

interface Named {
  id?: string;
  key?: string;
  data?: Named[];
  next_cursor?: string | null;
}
