import * as z from 'zod';
import type { FuzzedResponse } from './openapi-fuzzer.ts';
import type { FuzzedRequest, Json, OpenApiDocument } from './openapi-requests.ts';

/** Header fields of HTTP itself, which the document does not list. */
const OF_HTTP =
  /^(?:cache-control|connection|content-.*|date|keep-alive|transfer-encoding|vary|x-content-type-options)$/;

/**
 * Returns a function that lists the parts of a response that the document does not describe: a status, a header field, a body, or a field of
 * the body. A 5xx is always listed.
 */
export function responseChecker({ paths, components }: OpenApiDocument) {
  const methods = Object.values(paths).flatMap((each) => Object.values(each));
  const operations = new Map(methods.map((operation) => [operation.operationId, operation]));
  const checks = new Map<string, z.ZodType>();
  const text = JSON.stringify(components.schemas, closed).replaceAll('#/components/schemas/', '#/$defs/');
  const Defs = JSON.parse(text) as Record<string, Json>;

  function bodyProblems(schema: Json, body: unknown): unknown[] {
    const Ref = String(schema['$ref']).replace('#/components/schemas/', '#/$defs/');
    const check =
      checks.get(Ref) ??
      z.fromJSONSchema({ $ref: Ref, $defs: Defs } as Parameters<typeof z.fromJSONSchema>[0]);
    checks.set(Ref, check);
    return check.safeParse(body).error?.issues ?? [];
  }

  return ({ operationId }: FuzzedRequest, { status, headers, text }: FuzzedResponse): unknown[] => {
    const described = operations.get(operationId)?.responses[status];
    if (status >= 500 || described === undefined) return [`unexpected status ${status}`];
    const names = new Set(Object.keys(described.headers ?? {}).map((name) => name.toLowerCase()));
    const unknownHeaders = [...headers.keys()].filter((name) => !OF_HTTP.test(name) && !names.has(name));
    const problems: unknown[] = unknownHeaders.map((name) => `unexpected header ${name}`);
    const schema = described.content?.['application/json']?.schema;
    if (schema === undefined) return text === '' ? problems : [...problems, 'unexpected body'];
    return [...problems, ...bodyProblems(schema, JSON.parse(text))];
  };
}

/** Forbids unknown fields. Clients must ignore such fields, but this server may send only fields that the document describes. */
function closed(_: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'properties' in value;
  return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value;
}
