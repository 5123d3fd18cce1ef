import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../shared/ports/system.ts';
import { StripeAccount, StripeFailure, type StripeObject } from './stripe-account.ts';
import { stripePage } from './stripe-pages.ts';
import {
  type Documented,
  type Parameters,
  parameterProblem,
  REQUESTS,
  type RequestName,
  readForm,
} from './stripe-parameters.ts';
import { RESPONSES } from './stripe-responses.ts';

export const STRIPE_KEY = 'sk_test_51StandIn';
export const STRIPE_WEBHOOK_SECRET = 'whsec_StandIn';
const API_VERSION = '2026-10-28.endive';

/**
 * How the stand-in responds: like Stripe, not at all, with an error, by closing the connection, or with an endless body, one byte at a
 * time.
 */
export type StripeMood = 'well' | 'silent' | 'failing' | 'closed' | 'dripping';

export interface SeenRequest {
  name: string;
  parameters: Parameters;
  idempotencyKey: string | null;
}

/** A server that behaves like Stripe for the requests that this service sends. It refuses requests that Stripe does not document. */
export interface StripeServer extends AsyncDisposable {
  url: string;
  account: StripeAccount;
  mood: StripeMood;
  requests: SeenRequest[];
  /** The problems of refused requests. Tests expect none. */
  violations: string[];
  /** The URL to which the stand-in sends events. If null, the stand-in collects events, and a test sends them. */
  webhookUrl: string | null;
  /** Is called before the stand-in computes each response, so that a test can make a change at this moment. */
  meanwhile: ((request: SeenRequest) => Promise<unknown>) | null;
  /** Returns the body and the signature of a webhook. @param at the time of the signature in seconds; by default the clock's time. */
  sign(event: StripeObject, at?: number): { body: string; signature: string };
  /** Resolves once every event has been sent. */
  sent(): Promise<void>;
}

export async function startStripe(clock: Clock): Promise<StripeServer> {
  const account = new StripeAccount(clock);
  const replays = new Map<string, { fingerprint: string; status: number; body: string }>();
  /** Idempotency keys of requests that are being processed. */
  const running = new Set<string>();
  const sending = new Set<Promise<unknown>>();
  const http = createServer((req, res) => {
    void respond(req, res);
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const server: StripeServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    account,
    mood: 'well',
    requests: [],
    violations: [],
    webhookUrl: null,
    meanwhile: null,
    sign(event, at = account.seconds()) {
      const body = JSON.stringify(event);
      const mac = createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex');
      return { body, signature: `t=${at},v1=${mac}` };
    },
    async sent() {
      while (sending.size > 0) await Promise.all(sending);
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
  account.onEvent = (event) => {
    if (server.webhookUrl === null) return;
    const { body, signature } = server.sign(event);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const post = fetch(server.webhookUrl, { method: 'POST', headers, body })
      .then((response) => response.arrayBuffer())
      .catch((error: unknown) => server.violations.push(`a webhook could not be sent: ${error}`))
      .finally(() => sending.delete(post));
    sending.add(post);
  };

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '', server.url);
    const body = await text(req);
    if (server.mood === 'silent') return;
    if (server.mood === 'closed') return void req.socket.destroy();
    if (server.mood === 'dripping') return drip(res);
    const page = stripePage(account, {
      method: req.method ?? '',
      path: pathname,
      form: new URLSearchParams(body),
    });
    if (page !== null) {
      const location = page.location === undefined ? {} : { location: page.location };
      res.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8', ...location }).end(page.html);
      return;
    }
    if (server.mood === 'failing')
      return send(res, 500, errorBody({ type: 'api_error', message: 'Something went wrong.' }));
    try {
      const known = nameOf(req.method ?? '', pathname);
      const parameters = readForm(req.method === 'POST' ? body : search.slice(1));
      const idempotencyKey = req.headers['idempotency-key']?.toString() ?? null;
      const seen = { name: known?.name ?? `${req.method} ${pathname}`, parameters, idempotencyKey };
      server.requests.push(seen);
      checkHeaders(req);
      if (known === null) throw failure(404, 'url_unknown', `Unrecognized request URL (${seen.name}).`);
      const problem = parameterProblem(parameters, REQUESTS[known.name] as Documented);
      if (problem !== null) {
        throw new StripeFailure(400, { type: 'invalid_request_error', ...problem });
      }
      const replay = idempotencyKey === null ? undefined : replays.get(idempotencyKey);
      const fingerprint = `${seen.name} ${known.id} ${JSON.stringify(parameters)}`;
      if (replay !== undefined && replay.fingerprint !== fingerprint)
        throw new StripeFailure(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests differ.',
        });
      if (replay !== undefined) return send(res, replay.status, replay.body);
      if (idempotencyKey !== null && running.has(idempotencyKey)) {
        const code = 'idempotency_key_in_use';
        return send(
          res,
          409,
          errorBody({ type: 'invalid_request_error', code, message: 'The first request is still running.' }),
        );
      }
      if (idempotencyKey !== null) running.add(idempotencyKey);
      try {
        await server.meanwhile?.(seen);
        const made = answer(known, parameters);
        if (idempotencyKey !== null) replays.set(idempotencyKey, { fingerprint, ...made });
        send(res, made.status, made.body);
      } finally {
        if (idempotencyKey !== null) running.delete(idempotencyKey);
      }
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      server.violations.push(`${req.method} ${req.url}: ${error.message}`);
      send(res, error.status, errorBody(error.body));
    }
  }

  function answer(known: KnownRequest, parameters: Parameters): { status: number; body: string } {
    try {
      const request = { id: known.id, parameters, url: server.url };
      return { status: 200, body: JSON.stringify(RESPONSES[known.name](account, request)) };
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      return { status: error.status, body: errorBody(error.body) };
    }
  }

  return server;
}

interface KnownRequest {
  name: RequestName;
  id: string;
}

function nameOf(method: string, path: string): KnownRequest | null {
  const direct = `${method} ${path}`;
  if (Object.hasOwn(REQUESTS, direct)) return { name: direct as RequestName, id: '' };
  const [, head, id = '', tail = ''] = /^(\/v1\/\w+)\/(\w+)(\/\w+)?$/.exec(path) ?? [];
  const name = `${method} ${head}/*${tail}`;
  return Object.hasOwn(REQUESTS, name) ? { name: name as RequestName, id } : null;
}

/** @throws StripeFailure for a request that Stripe would refuse, or that this service must not send. */
function checkHeaders({ method, headers }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
    throw failure(401, 'api_key_invalid', 'Invalid API Key provided.');
  if (headers['stripe-version'] !== API_VERSION)
    throw failure(400, 'version', `Stripe-Version is ${headers['stripe-version']}, not ${API_VERSION}.`);
  if (method !== 'POST') return;
  if (headers['content-type'] !== 'application/x-www-form-urlencoded')
    throw failure(400, 'content_type', 'The body is not a form.');
  const key = headers['idempotency-key'];
  if (key === undefined || key.length > 255)
    throw failure(400, 'idempotency_key', 'The Idempotency-Key is missing or long.');
}

function failure(status: number, code: string, message: string): StripeFailure {
  return new StripeFailure(status, { type: 'invalid_request_error', code, message });
}

function errorBody(error: object): string {
  return JSON.stringify({ error });
}

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_standin' }).end(body);
}

/** Sends a byte at intervals, so that no timeout for idle connections ends the response. */
function drip(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => res.write(' '), 10);
  res.once('close', () => clearInterval(timer));
}
