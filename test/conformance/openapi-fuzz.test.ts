import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/emulator-under-test.ts';
import { type FuzzedRequest, type Json, type OpenApiDocument, requestsOf } from './openapi-requests.ts';

const REQUESTS = 5_000;
/** Each key may send 200 requests at once. */
const KEYS = 40;
const ID_PREFIXES: Readonly<Record<string, string>> = { keys: 'key', domains: 'dom', events: 'evt' };

/** Connections are not kept: while requests are generated, the server would close an idle one. */
const CLOSE = { connection: 'close' };

test(`${REQUESTS} requests made from the OpenAPI document get responses that it describes`, {
  timeout: 600_000,
}, async () => {
  await using under_test = await emulatorUnderTest();
  const { url } = under_test.emulator;
  const document = (await (
    await fetch(`${url}/v1/openapi.json`, { headers: CLOSE })
  ).json()) as OpenApiDocument;
  // It has no end.
  delete document.paths['/v1/events/stream'];
  const methods = Object.values(document.paths).flatMap((each) => Object.values(each));
  const operations = new Map(methods.map((operation) => [operation.operationId, operation]));
  const requests = fc.sample(requestsOf(document), { numRuns: REQUESTS, seed: 20_261_122 });
  const keys = await makeKeys(under_test);
  const fits = bodyChecker(document);
  const ids = new Map<string, Set<string>>();
  // Only a live domain that waits for DNS can be verified, and few requests add one.
  for (let n = 0; n < 9; n++) {
    const body = { hostname: `live-${n}.acme.com` };
    remember(ids, 'createDomain', (await under_test.api('POST /domains', body, keys[0])).body);
  }
  const succeeded = new Set<string>();

  for (const [index, request] of requests.entries()) {
    const { status, text, knownId } = await send(url, request, keys[index % KEYS] ?? '', ids);
    const about = `request ${index}: ${JSON.stringify(request).slice(0, 1000)} got ${text.slice(0, 500)}`;
    expect(status, about).toBeLessThan(500);
    const described = operations.get(request.operationId)?.responses[status];
    expect(described, about).toBeDefined();
    const schema = described?.content?.['application/json']?.schema;
    if (schema === undefined) expect(text, about).toBe('');
    else expect(fits(schema, JSON.parse(text)), about).toEqual([]);
    if (status >= 300) continue;
    succeeded.add(request.operationId);
    if (request.method === 'DELETE' && knownId) ids.get(knownId.slice(0, 3))?.delete(knownId);
    if (schema !== undefined) remember(ids, request.operationId, JSON.parse(text));
  }
  expect([...succeeded].toSorted()).toEqual([...operations.keys()].toSorted());
  expect(under_test.logged).toEqual([]);
});

async function makeKeys({ api, emulator }: EmulatorUnderTest): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) {
    const body = { name: `Key ${n}`, mode: n % 2 === 0 ? 'live' : 'test' };
    keys.push(String((await api('POST /keys', body, emulator.keys.live)).body['key']));
  }
  return keys;
}

async function send(url: string, request: FuzzedRequest, key: string, ids: Map<string, Set<string>>) {
  const known = [...(ids.get(ID_PREFIXES[request.path.split('/')[2] ?? ''] ?? '') ?? [])];
  const knownId = request.idChoice === null ? undefined : known[request.idChoice % known.length];
  const id = encodeURIComponent(knownId ?? request.strangeId.toWellFormed());
  const query = new URLSearchParams(request.query);
  const response = await fetch(`${url}${request.path.replace('{id}', id)}?${query}`, {
    method: request.method,
    headers: {
      ...CLOSE,
      authorization: `Bearer ${key}`,
      ...(request.body !== null && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: request.body,
  });
  return { status: response.status, text: await response.text(), knownId };
}

/** Keeps the ids of what was made and listed. The keys in a list stay out: they send the requests. */
function remember(
  ids: Map<string, Set<string>>,
  operationId: string,
  body: Named & { data?: Named[] },
): void {
  if (operationId === 'listKeys') return;
  for (const { id } of [body, ...(body.data ?? [])]) {
    if (id === undefined) continue;
    const prefix = id.slice(0, 3);
    ids.set(prefix, (ids.get(prefix) ?? new Set()).add(id));
  }
}

interface Named {
  id?: string;
}

/** Returns a function that checks a body by a schema of the document and returns the problems. */
function bodyChecker({ components }: OpenApiDocument) {
  const checks = new Map<string, z.ZodType>();
  const text = JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
  const $defs = JSON.parse(text) as Record<string, Json>;
  return (schema: Json, body: unknown): unknown[] => {
    const $ref = String(schema['$ref']).replace('#/components/schemas/', '#/$defs/');
    const check =
      checks.get($ref) ?? z.fromJSONSchema({ $ref, $defs } as Parameters<typeof z.fromJSONSchema>[0]);
    checks.set($ref, check);
    return check.safeParse(body).error?.issues ?? [];
  };
}
