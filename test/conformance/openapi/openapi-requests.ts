import fc from 'fast-check';

export type Json = { [key: string]: unknown };

/** The parts of an OpenAPI document from which requests are generated. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Json>; parameters: Record<string, OpenApiParameter> };
}
interface OpenApiOperation {
  operationId: string;
  parameters?: (OpenApiParameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: Json } } };
  responses: Record<string, { headers?: Json; content?: Record<string, { schema: Json }> }>;
}
interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Json;
}

export interface FuzzedRequest {
  operationId: string;
  method: string;
  path: string;
  /** Selects one of the ids from earlier responses. If null, the request uses `strangeId`. */
  idChoice: number | null;
  strangeId: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | null;
}

/** Placeholders for the last cursor that the same list returned, and for a domain from an earlier response. */
export const LAST_CURSOR = '<last cursor>';
export const KNOWN_DOMAIN = '<known domain>';

/** A PNG of one pixel. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Values that the parsers accept, by field. URLs point to a closed port of this machine, so that no probe leaves the machine. */
const PLAUSIBLE: Readonly<Record<string, readonly string[]>> = {
  hostname: [
    ...['acme.com', 'bücher.example', 'co.uk', '*.acme.com', 'a..b', 'x'.repeat(1025), 'shop', 'live-'],
    ...numbered(5, (n) => `acme-${n}.com`),
    ...numbered(30, (n) => `shop-${n}.acme.com`),
  ],
  origin: ['https://127.0.0.1:9', 'http://10.0.0.1', 'ftp://x'],
  origin_url: ['https://127.0.0.1:9', 'http://10.0.0.1', 'ftp://x'],
  webhook_url: ['http://127.0.0.1:9/hook', 'https://10.0.0.1', 'x'],
  brand_color: ['#1f4fd1'],
  brand_logo: [`data:image/png;base64,${ONE_PIXEL}`],
  support_url: ['mailto:help@acme.com', 'https://help.acme.com'],
  return_url: ['https://app.acme.com'],
  whitelabel_host: ['links.acme.com', 'co.uk', ''],
  domain_id: [...numbered(9, () => KNOWN_DOMAIN), 'dom_1'],
  cursor: [...numbered(9, () => LAST_CURSOR), 'x', 'x'.repeat(201)],
  'Idempotency-Key': [...numbered(200, (n) => `key-${n}`), 'x'.repeat(256)],
  'Last-Event-ID': ['evt_1'],
};

/** Top-level keys of generated metadata. `METADATA_VALUE` is a value that filters search for. */
const METADATA_KEYS = ['team', 'a.b', '__proto__', 'größe'];
const METADATA_VALUE = 'people';

function numbered(count: number, make: (n: number) => string): string[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

/** Generates requests that a document describes, most of them valid or nearly valid. Streams never end and are left out. */
export function requestsOf(document: OpenApiDocument): fc.Arbitrary<FuzzedRequest> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      weight: WEIGHTS[operation.operationId] ?? 1,
      arbitrary: requestOf(document, path, method, operation),
    })),
  );
  return fc.oneof(...all);
}

/** The relative frequency of operations; 1 by default. Creates of domains are more frequent, because most operations need a domain. */
const WEIGHTS: Readonly<Record<string, number>> = { createDomain: 4 };

function requestOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): fc.Arbitrary<FuzzedRequest> {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter
      ? (document.components.parameters[lastPart(parameter.$ref)] as OpenApiParameter)
      : parameter,
  );
  const named = (place: OpenApiParameter['in']) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .map(({ name, schema }) => [name, arbitraryOf(document, schema, name)]),
    );
  const shape = operation.requestBody?.content['application/json'].schema;
  return fc.record({
    operationId: fc.constant(operation.operationId),
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    idChoice: fc.option(fc.nat(), { freq: 5 }),
    strangeId: fc.string({ minLength: 1, maxLength: 80 }).filter((id) => !/^\.+$/.test(id)),
    query: fc.record(named('query'), { requiredKeys: [] }).chain(pairsOf),
    headers: fc.record(named('header'), { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>,
    body: shape === undefined ? fc.constant(null) : bodyOf(document, shape),
  });
}

/** Encodes parameters as a client does, with objects in the style `deepObject`. Sometimes makes a parameter invalid or repeats it. */
function pairsOf(values: Json): fc.Arbitrary<[string, string][]> {
  const pairs = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)])
      : [[name, String(value)]],
  );
  const names = fc.oneof(fc.constantFrom('metadata', ...Object.keys(values)), fc.string({ maxLength: 20 }));
  const strange = fc.tuple(names, fc.string({ maxLength: 60 }));
  return fc
    .oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(strange, { maxLength: 3 }))
    .map((more) => [...pairs, ...more]);
}

function bodyOf(document: OpenApiDocument, shape: Json): fc.Arbitrary<string> {
  const schema = resolved(document, shape);
  const names = Object.keys(schema['properties'] as Json);
  const wrong = fc.dictionary(fc.constantFrom('later', ...names), fc.jsonValue(), { maxKeys: 4 });
  return fc.oneof(
    { weight: 8, arbitrary: arbitraryOf(document, schema).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: wrong.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string(), fc.constant(' '.repeat(102_401))) },
  );
}

/** Returns a generator of values for a JSON Schema. */
function arbitraryOf(document: OpenApiDocument, shape: Json, name = ''): fc.Arbitrary<unknown> {
  const schema = resolved(document, shape);
  const { type, properties, required = [], additionalProperties, propertyNames, maxProperties } = schema;
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(schema['anyOf'])) {
    return fc.oneof(...schema['anyOf'].map((each: Json) => arbitraryOf(document, each, name)));
  }
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => arbitraryOf(document, { ...schema, type: each }, name)));
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, Json>);
    const values = Object.fromEntries(fields.map(([key, each]) => [key, arbitraryOf(document, each, key)]));
    return fc.record(values, { requiredKeys: required as string[] });
  }
  if (name === 'metadata') {
    const usual = fc.dictionary(fc.constantFrom(...METADATA_KEYS), fc.constant(METADATA_VALUE), {
      maxKeys: 2,
    });
    const any = arbitraryOf(document, schema);
    return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: any });
  }
  if (type === 'object') {
    const { pattern } = (propertyNames ?? {}) as { pattern?: string };
    const keys =
      pattern === undefined ? fc.string({ maxLength: 30 }) : fc.stringMatching(new RegExp(pattern));
    const maxKeys = ((maxProperties as number | undefined) ?? 5) + 1;
    return fc.dictionary(keys, arbitraryOf(document, (additionalProperties ?? {}) as Json), { maxKeys });
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: -1, max: 101 });
  if (type === 'null') return fc.constant(null);
  if (type === 'string') {
    const plausible = PLAUSIBLE[name];
    if (plausible) return fc.constantFrom(...plausible);
    const { minLength = 0 } = schema as { minLength?: number };
    const strange = fc.string({ unit: 'binary', maxLength: 90 });
    return fc.oneof(
      { weight: 4, arbitrary: fc.string({ minLength, maxLength: 80 }) },
      { weight: 1, arbitrary: strange },
    );
  }
  return fc.jsonValue();
}

function resolved({ components }: OpenApiDocument, schema: Json): Json {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? (components.schemas[lastPart(ref)] ?? {}) : schema;
}

function lastPart(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
