import { expect, vi } from 'vitest';
import type { Driver } from './driver.ts';
import {
  CHANGED_DOMAIN,
  DOMAIN,
  ERROR,
  ERROR_STATUS,
  type ErrorCode,
  EVENT_DETAIL,
  EVENTS,
} from './resources.ts';
import { mismatches, type Shape, type TypeOf } from './shape.ts';

/** A plain HTTP client of the API. It checks every response for the rules that apply to all responses (sections 1 and 7, request ids). */
export interface Client {
  send(method: string, path: string, request?: RequestParts): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export interface RequestParts {
  /** A body to send unchanged. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Checks the status and the shape of the response, and returns its body. */
  as<const S extends Shape>(status: number, shape: S): TypeOf<S>;
  /** Checks that the response is an error with this code that follows the contract, and returns the error. */
  refused(code: ErrorCode): TypeOf<(typeof ERROR)['error']>;
  /** Checks that the response is the error `validation_failed`. Returns the paths of the wrong fields, in order. */
  faults(): string[];
  /** Checks that the response is a 204 without a body. */
  empty(): void;
}

/** @param key the API key; null to send none. */
export function client({ base_url }: Pick<Driver, 'base_url'>, key: string | null): Client {
  const bearer: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };

  async function send(method: string, path: string, { body, headers }: RequestParts = {}): Promise<Answer> {
    const streamed = body instanceof ReadableStream ? { duplex: 'half' } : {};
    const init = { method, body: body ?? null, headers: { ...bearer, ...headers }, ...streamed };
    const response = await fetch(base_url + path, init as RequestInit);
    return answer(response.status, response.headers, await response.text());
  }

  const sendJson = (method: string, path: string, body: unknown, headers?: Record<string, string>) =>
    send(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });

  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body, headers) => sendJson('POST', path, body, headers),
    patch: (path, body) => sendJson('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  };
}

function answer(status: number, headers: Headers, text: string): Answer {
  expect(headers.get('x-request-id'), 'X-Request-Id').toMatch(/./);
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expectEnvelope(status, headers, text);

  function refused(code: ErrorCode): TypeOf<(typeof ERROR)['error']> {
    const { error } = JSON.parse(text) as TypeOf<typeof ERROR>;
    expect(error?.code, text).toBe(code);
    return error;
  }

  return {
    status,
    headers,
    text,
    as(expected, shape) {
      expect(status, text).toBe(expected);
      expect(headers.get('content-type')).toMatch(/^application\/json\b/);
      const body: unknown = JSON.parse(text);
      expect(mismatches(shape, body)).toEqual([]);
      return body as TypeOf<typeof shape>;
    },
    refused,
    faults() {
      const { status_detail = {} } = refused('validation_failed');
      expect(mismatches({ fields: [{ path: 'string', message: 'string' }] }, status_detail)).toEqual([]);
      return (status_detail['fields'] as { path: string }[]).map(({ path }) => path).sort();
    },
    empty() {
      expect({ status, text }).toEqual({ status: 204, text: '' });
    },
  };
}

function expectEnvelope(status: number, headers: Headers, text: string): void {
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  const body = JSON.parse(text) as TypeOf<typeof ERROR>;
  expect(mismatches(ERROR, body)).toEqual([]);
  const { code, message, fix, docs } = body.error;
  expect({ code, status }).toEqual({ code, status: ERROR_STATUS[code as ErrorCode] });
  expect(docs).toMatch(new RegExp(`/errors/${code}$`));
  expect(message).not.toBe('');
  expect(fix).not.toBe('');
  if (status === 429) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

export type DomainData = TypeOf<typeof DOMAIN>;
export type EventData = TypeOf<typeof EVENTS>['data'][number];

/** Adds a new domain. */
export async function addDomain(
  api: Client,
  hostname: string,
  fields: object = {},
): Promise<TypeOf<typeof CHANGED_DOMAIN>> {
  return (await api.post('/v1/domains', { hostname, ...fields })).as(201, CHANGED_DOMAIN);
}

export async function getDomain(api: Client, id: string): Promise<DomainData> {
  return (await api.get(`/v1/domains/${id}`)).as(200, DOMAIN);
}

/** Returns a domain's events, oldest first. */
export async function eventsOf(api: Client, domainId: string): Promise<EventData[]> {
  const { data } = (await api.get(`/v1/events?limit=100&domain_id=${domainId}`)).as(200, EVENTS);
  return data.reverse();
}

export async function getEvent(api: Client, id: string): Promise<TypeOf<typeof EVENT_DETAIL>> {
  return (await api.get(`/v1/events/${id}`)).as(200, EVENT_DETAIL);
}

/** Repeats a check until it passes, for effects that the contract allows to take up to 5 seconds. */
export async function within5s(attempt: () => Promise<void>): Promise<void> {
  await vi.waitFor(attempt, { timeout: 5_000, interval: 100 });
}
