import type { Call, Client } from '../../shared/client/client.ts';
import { resolveDomainId } from '../arguments/find-domain.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import type { Tool, ToolInput } from './tools.ts';

/**
 * Returns the API request for a tool call. Checks only the names of the arguments, and the ids that become part of the path. The API checks
 * all values, so that its error lists every problem with a fix. If the call names a domain by its hostname, asks the API for the domain's
 * id.
 * @throws CliError `usage`, `not_found`
 */
export async function requestOf(
  { name: tool, route, inputs, required }: Tool,
  given: Record<string, unknown>,
  client: Client,
): Promise<Call> {
  const unknown = Object.keys(given).filter((name) => !inputs.has(name));
  const missing = required.filter((name) => given[name] === undefined || given[name] === null);
  if (unknown.length + missing.length > 0) throw wrongArguments(tool, unknown, missing, inputs);
  const places = { path: new Map<string, unknown>(), query: new Map<string, unknown>(), body: new Map() };
  for (const [name, input] of inputs) {
    const value = given[name];
    if (value === undefined) continue;
    const isId = input.isDomain || input.in === 'path';
    places[input.in].set(input.field, isId ? await idOf(name, input, value, client) : value);
  }
  const { method, path, body } = route;
  return {
    method,
    path: path.replace('{id}', String(places.path.get('id'))) + queryString(places.query),
    ...(body !== undefined && { body: Object.fromEntries(places.body) }),
  };
}

async function idOf(
  name: string,
  { isDomain, schema }: ToolInput,
  value: unknown,
  client: Client,
): Promise<string> {
  const text = typeof value === 'string' ? value : '';
  if (isDomain) return resolveDomainId(text, client).catch(advise);
  // A character such as `/` could change the endpoint of the request.
  if (/^[a-z]+_[0-9A-Za-z]+$/.test(text)) return text;
  throw usageError(`The value of ${name} is not an id.`, `Give an id of the form ${schema['description']}.`);
}

/** Replaces the fix of a `not_found` error, which suggests a shell command, with advice to call a tool. */
function advise(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== 'not_found') throw error;
  throw new CliError(error.code, error.message, { fix: 'Call list_domains to see what exists.' });
}

function queryString(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    if (value === null) continue;
    if (typeof value !== 'object') query.set(field, String(value));
    else for (const [key, wanted] of Object.entries(value)) query.set(`${field}.${key}`, String(wanted));
  }
  return query.size === 0 ? '' : `?${query}`;
}

function wrongArguments(
  tool: string,
  unknown: readonly string[],
  missing: readonly string[],
  inputs: Tool['inputs'],
): CliError {
  const problems = [
    ...missing.map((name) => `${tool} needs the argument ${name}.`),
    ...unknown.map((name) => `${tool} has no argument ${JSON.stringify(name)}.`),
  ];
  const names = [...inputs.keys()];
  const fix = names.length === 0 ? 'Leave out all arguments.' : `Its arguments are ${names.join(', ')}.`;
  return usageError(problems.join(' '), fix);
}
