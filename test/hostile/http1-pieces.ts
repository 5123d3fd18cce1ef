import { HOST } from '../edge/edge-under-test.ts';
import { ANSWERED, NORMALISED, REFUSED } from '../edge/wire/hostile-http1.ts';
import { MISBEHAVING_PATHS } from './origin.ts';

/** A piece of HTTP/1.1 for a pipeline. `HOST` stands for the server's hostname, and `KEY` for an API key. */
export interface Piece {
  title: string;
  bytes: string;
}

export const KEY = '{key}';

const HEAD = `Host: ${HOST}\r\n`;
const WITH_KEY = `${HEAD}Authorization: Bearer ${KEY}\r\n`;
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const SOCKET = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

export const RIGHT: readonly Piece[] = [
  piece('GET', `GET / HTTP/1.1\r\n${HEAD}\r\n`),
  piece('HEAD', `HEAD / HTTP/1.1\r\n${HEAD}\r\n`),
  piece('OPTIONS', `OPTIONS /a?b=c HTTP/1.1\r\n${HEAD}\r\n`),
  piece('a body', `POST /a HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`),
  piece('chunks', `POST /a HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
  piece('100-continue', `PUT /a HTTP/1.1\r\n${HEAD}Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`),
  piece('a large body', `POST /a HTTP/1.1\r\n${HEAD}Content-Length: 70000\r\n\r\n${'a'.repeat(70_000)}`),
  piece('DELETE', `DELETE /a HTTP/1.1\r\n${HEAD}\r\n`),
  piece('close', `GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
  piece('HTTP/1.0', `GET / HTTP/1.0\r\n${HEAD}\r\n`),
  piece('a challenge', `GET /.well-known/acme-challenge/aaaa HTTP/1.1\r\n${HEAD}\r\n`),
];

/** Requests to paths where the origin breaks a rule of HTTP. */
export const MISBEHAVED: readonly Piece[] = MISBEHAVING_PATHS.flatMap((path) => [
  piece(`GET ${path}`, `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`),
  piece(`POST ${path}`, `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 40000\r\n\r\n${'a'.repeat(40_000)}`),
  piece(`WebSocket ${path}`, `GET ${path} HTTP/1.1\r\n${HEAD}${UPGRADE}${SOCKET}\r\n`),
]);

export const ODD: readonly Piece[] = [
  piece('CONNECT', 'CONNECT a:1 HTTP/1.1\r\n\r\n'),
  piece('CONNECT with a Host', `CONNECT ${HOST}:443 HTTP/1.1\r\n${HEAD}\r\n`),
  piece('CONNECT of HTTP/1.0', 'CONNECT a:1 HTTP/1.0\r\n\r\n'),
  piece('CONNECT with a body', `CONNECT a:1 HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`),
  piece('an upgrade', `GET / HTTP/1.1\r\n${HEAD}${UPGRADE}\r\n`),
  piece('an upgrade of an unknown host', `GET / HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`),
  piece('an upgrade without a Host', `GET / HTTP/1.1\r\n${UPGRADE}\r\n`),
  piece('an upgrade to h2c', `GET / HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`),
  piece('an upgrade by POST', `POST / HTTP/1.1\r\n${HEAD}${UPGRADE}${SOCKET}Content-Length: 3\r\n\r\nabc`),
  piece('an upgrade in HTTP/1.0', `GET / HTTP/1.0\r\n${HEAD}${UPGRADE}${SOCKET}\r\n`),
  piece('a WebSocket', `GET /chat HTTP/1.1\r\n${HEAD}${UPGRADE}${SOCKET}\r\n`),
  piece(
    'a WebSocket that closes',
    `GET /chat HTTP/1.1\r\n${HEAD}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
  ),
  piece('an unknown host', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
  piece('no Host', 'GET / HTTP/1.1\r\n\r\n'),
  piece('an expectation', `GET / HTTP/1.1\r\n${HEAD}Expect: the-unexpected\r\n\r\n`),
  piece('100-continue without a body', `GET / HTTP/1.1\r\n${HEAD}Expect: 100-continue\r\n\r\n`),
  piece('TRACE', `TRACE / HTTP/1.1\r\n${HEAD}\r\n`),
  piece('half a body', `POST /a HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\nabc`),
  piece('half a chunk', `POST /a HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\nabc`),
  piece('half a head', `GET / HTTP/1.1\r\n${HEAD}X-A: b`),
  piece('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  ...[
    ...ANSWERED.map(([title, , bytes]) => piece(title, bytes)),
    ...NORMALISED.map((each) => piece(...each)),
  ],
];

export const BROKEN: readonly Piece[] = [
  piece('garbage', 'no HTTP at all\r\n\r\n'),
  piece('nothing but line ends', '\r\n\r\n\r\n'),
  piece('a chunk that is none', `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
  ...REFUSED.map(([title, , bytes]) => piece(title, bytes)),
];

export const API: readonly Piece[] = [
  piece(
    'a check of the connect page',
    `POST /connect/AAAA/check HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`,
  ),
  piece('a check that is cut', `POST /connect/AAAA/check HTTP/1.1\r\n${HEAD}Content-Length: 30\r\n\r\nabc`),
  piece('a connect page', `GET /connect/AAAA HTTP/1.1\r\n${HEAD}\r\n`),
  piece('docs', `GET /docs HTTP/1.1\r\n${HEAD}\r\n`),
  piece('OpenAPI', `GET /v1/openapi.json HTTP/1.1\r\n${HEAD}\r\n`),
  piece('domains without a key', `GET /v1/domains HTTP/1.1\r\n${HEAD}\r\n`),
  piece('domains', `GET /v1/domains?limit=2 HTTP/1.1\r\n${WITH_KEY}\r\n`),
  piece('HEAD of domains', `HEAD /v1/domains HTTP/1.1\r\n${WITH_KEY}\r\n`),
  piece('an event stream', `GET /v1/events/stream HTTP/1.1\r\n${WITH_KEY}\r\n`),
  piece('an event stream without a key', `GET /v1/events/stream HTTP/1.1\r\n${HEAD}\r\n`),
  piece('a create that is no JSON', `POST /v1/domains HTTP/1.1\r\n${WITH_KEY}Content-Length: 3\r\n\r\n{"a`),
  piece(
    'a create in chunks',
    `POST /v1/domains HTTP/1.1\r\n${WITH_KEY}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  piece(
    'a create too large',
    `POST /v1/domains HTTP/1.1\r\n${WITH_KEY}Content-Length: 9999999\r\n\r\n${'a'.repeat(70_000)}`,
  ),
  piece(
    'a create that waits',
    `POST /v1/domains HTTP/1.1\r\n${WITH_KEY}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n`,
  ),
  piece('a target that is no path', `GET //a:b@[ HTTP/1.1\r\n${HEAD}\r\n`),
  piece('an escape that is none', `GET /v1/domains/%zz%00?limit=%ff HTTP/1.1\r\n${WITH_KEY}\r\n`),
  piece('health', `GET /healthz HTTP/1.1\r\n${HEAD}\r\n`),
  piece('readiness', `GET /readyz HTTP/1.1\r\n${HEAD}\r\n`),
  piece('metrics', `GET /metrics HTTP/1.1\r\n${HEAD}\r\n`),
  piece('status of the emulator', `GET /_emulator/status HTTP/1.1\r\n${HEAD}\r\n`),
];

function piece(title: string, bytes: string): Piece {
  return { title, bytes };
}
