import { HOST } from '../edge-under-test.ts';
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  type Field,
  type FrameWriter,
  HEADERS,
  headerBlock,
  PING,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
} from './raw-http2.ts';

/** This file has HTTP/2 requests and frames that are invalid or ask for too much. */
const METHOD: Field = [':method', 'GET'];
const SCHEME: Field = [':scheme', 'https'];
const AUTHORITY: Field = [':authority', HOST];
const PATH: Field = [':path', '/'];

/** The header list of a correct request. */
export const GET: readonly Field[] = [METHOD, SCHEME, AUTHORITY, PATH];
export const POST: readonly Field[] = [[':method', 'POST'], SCHEME, AUTHORITY, PATH];

/**
 * Requests to which the edge responds with this status, or for which it resets the stream or connection. The origin gets none of their
 * bytes.
 */
export const REFUSED: [title: string, outcome: string | number, list: readonly Field[]][] = [
  ['no authority', 'reset 1', [METHOD, SCHEME, PATH]],
  ['no method', 'reset 1', [SCHEME, AUTHORITY, PATH]],
  ['no path', 'reset 1', [METHOD, SCHEME, AUTHORITY]],
  ['no scheme', 'reset 1', [METHOD, AUTHORITY, PATH]],
  ['two methods', 'reset 1', [METHOD, METHOD, SCHEME, AUTHORITY, PATH]],
  ['two paths', 'reset 1', [METHOD, SCHEME, AUTHORITY, PATH, [':path', '/evil']]],
  ['two authorities', 'reset 1', [METHOD, SCHEME, AUTHORITY, AUTHORITY, PATH]],
  ['a pseudo-header after a header', 'reset 1', [METHOD, SCHEME, AUTHORITY, ['x-a', 'b'], PATH]],
  ['an unknown pseudo-header', 'reset 1', [...GET, [':evil', 'x']]],
  ['a pseudo-header of responses', 'reset 1', [...GET, [':status', '200']]],
  ['the pseudo-header of extended CONNECT', 'reset 1', [...GET, [':protocol', 'websocket']]],
  ['an empty path', 'reset 1', [METHOD, SCHEME, AUTHORITY, [':path', '']]],
  ['an absolute-form path', 'reset 1', [METHOD, SCHEME, AUTHORITY, [':path', 'http://evil.example/']]],
  ['the asterisk-form', 400, [[':method', 'OPTIONS'], SCHEME, AUTHORITY, [':path', '*']]],
  ['a space in the path', 'reset 1', [METHOD, SCHEME, AUTHORITY, [':path', '/a b']]],
  ['a request line in the path', 'reset 1', [METHOD, SCHEME, AUTHORITY, [':path', '/ HTTP/1.1\r\nX-A: b']]],
  ['a fragment', 400, [METHOD, SCHEME, AUTHORITY, [':path', '/#a']]],
  ['a request line in the method', 'reset 1', [[':method', 'GET / HTTP/1.1\r\n'], SCHEME, AUTHORITY, PATH]],
  ['an unknown method', 501, [[':method', 'GARBAGE'], SCHEME, AUTHORITY, PATH]],
  ['a method in lowercase', 501, [[':method', 'get'], SCHEME, AUTHORITY, PATH]],
  ['TRACE', 501, [[':method', 'TRACE'], SCHEME, AUTHORITY, PATH]],
  ['CONNECT', 400, [[':method', 'CONNECT'], AUTHORITY]],
  ['the scheme http', 400, [METHOD, [':scheme', 'http'], AUTHORITY, PATH]],
  ['the scheme ftp', 400, [METHOD, [':scheme', 'ftp'], AUTHORITY, PATH]],
  ['a user in the authority', 'reset 1', [METHOD, SCHEME, [':authority', `x@${HOST}`], PATH]],
  ['a list in the authority', 'reset 1', [METHOD, SCHEME, [':authority', `${HOST}, evil.example`], PATH]],
  ['a line in the authority', 'reset 1', [METHOD, SCHEME, [':authority', `${HOST}\r\nX-A: b`], PATH]],
  [
    'another authority than that of the connection',
    421,
    [METHOD, SCHEME, [':authority', 'evil.example'], PATH],
  ],
  ['a different Host', 400, [...GET, ['host', 'evil.example']]],
  ['a header in capitals', 'reset 1', [...GET, ['X-A', 'b']]],
  ['Transfer-Encoding', 'reset 1', [...POST, ['transfer-encoding', 'chunked']]],
  ['Connection', 'reset 1', [...GET, ['connection', 'x-service-signature']]],
  ['Keep-Alive', 'reset 1', [...GET, ['keep-alive', 'timeout=5']]],
  ['Proxy-Connection', 'reset 1', [...GET, ['proxy-connection', 'keep-alive']]],
  ['Upgrade', 'reset 1', [...GET, ['upgrade', 'websocket']]],
  ['TE that is not trailers', 'reset 1', [...GET, ['te', 'gzip']]],
  ['a length without a body', 'reset 1', [...POST, ['content-length', '5']]],
  ['two lengths', 'reset 1', [...POST, ['content-length', '0'], ['content-length', '0']]],
  ['an invalid length', 'reset 1', [...POST, ['content-length', '+0']]],
  ['too many headers', 431, [...GET, ...Array<Field>(200).fill(['x-a', 'b'])]],
  ['a header over the limit', 431, [...GET, ['x-a', 'b'.repeat(17_000)]]],
  ['a loop', 508, [...GET, ['cdn-loop', 'service, service, service']]],
];

/** Requests that the edge forwards without their harmful parts, and with its own headers added. */
export const NORMALISED: [title: string, list: readonly Field[]][] = [
  ...(
    [
      ['x-service-signature', 'v1=evil'],
      ['x_service_signature', 'v1=evil'],
      ['x.service.signature', 'v1=evil'],
      ['x-service-domain-id', 'evil'],
      ['x-forwarded-for', 'evil'],
      ['x_forwarded_for', 'evil'],
      ['forwarded', 'for=evil'],
      ['x-tenant', 'evil'],
      ['proxy', 'http://evil'],
      ['proxy-authorization', 'evil'],
      ['te', 'trailers'],
      ['expect', 'evil'],
      ['http2-settings', 'evil'],
      // nghttp2 drops the following fields, because they are not valid headers.
      ['', 'evil'],
      ['x evil', 'b'],
      ['x-evil:', 'b'],
      ['x-a', 'b\r\nX-Service-Signature: evil'],
      ['x-a', 'b\nevil'],
      ['x-a', 'b\0evil'],
      ['x-a', 'evil\x01'],
    ] as const
  ).map((field): [string, readonly Field[]] => [field.join(': '), [...GET, field]]),
  ['Host for authority', [METHOD, SCHEME, PATH, ['host', HOST]]],
  ['Host beside authority', [...GET, ['host', HOST.toUpperCase()]]],
  ['the authority with a port', [METHOD, SCHEME, [':authority', `${HOST}:443`], PATH]],
];

/** Attacks that may end their own connection, but must not affect other visitors. */
export const ATTACKS: [title: string, attack: (visitor: FrameWriter) => void, isAnswered?: boolean][] = [
  [
    'an endless header block',
    (visitor) => {
      const payload = headerBlock([...GET, ['x-a', 'b']]);
      visitor.frame({ type: HEADERS, flags: END_STREAM, stream: 1, payload });
      const more = headerBlock(Array<Field>(100).fill(['x-a', 'b'.repeat(100)]));
      for (let i = 0; i < 200; i++) visitor.frame({ type: CONTINUATION, stream: 1, payload: more });
    },
  ],
  [
    'empty CONTINUATION frames',
    (visitor) => {
      visitor.frame({ type: HEADERS, flags: END_STREAM, stream: 1, payload: headerBlock(GET) });
      for (let i = 0; i < 20_000; i++) visitor.frame({ type: CONTINUATION, stream: 1 });
    },
  ],
  [
    'resets of newly opened streams',
    (visitor) => {
      for (let i = 0; i < 5_000; i++) {
        visitor.headers(i * 2 + 1, GET);
        visitor.frame({ type: RST_STREAM, stream: i * 2 + 1, payload: Buffer.from([0, 0, 0, 8]) });
      }
    },
  ],
  [
    'provoked resets by the server',
    (visitor) => {
      for (let i = 0; i < 5_000; i++) {
        visitor.headers(i * 2 + 1, GET);
        visitor.frame({ type: WINDOW_UPDATE, stream: i * 2 + 1, payload: Buffer.alloc(4) });
      }
    },
  ],
  [
    'too many streams',
    (visitor) => {
      for (let i = 0; i < 2_000; i++) visitor.headers(i * 2 + 1, POST, END_HEADERS);
    },
  ],
  [
    'endless pings',
    (visitor) => {
      for (let i = 0; i < 50_000; i++) visitor.frame({ type: PING, payload: Buffer.alloc(8) });
    },
  ],
  [
    'endless settings',
    (visitor) => {
      for (let i = 0; i < 50_000; i++) visitor.frame({ type: SETTINGS });
    },
  ],
  [
    'endless empty DATA',
    (visitor) => {
      visitor.headers(1, POST, END_HEADERS);
      for (let i = 0; i < 50_000; i++) visitor.frame({ type: DATA, stream: 1 });
    },
  ],
  [
    'a window over its limit',
    (visitor) => {
      for (let i = 0; i < 3; i++) {
        visitor.frame({ type: WINDOW_UPDATE, payload: Buffer.from([0x7f, 0xff, 0xff, 0xff]) });
      }
    },
  ],
  ['a frame over its limit', (visitor) => visitor.frame({ type: DATA, stream: 1, length: 1_000_000 })],
  ['DATA on a stream that is not open', (visitor) => visitor.frame({ type: DATA, stream: 1 })],
  ['HEADERS on stream 0', (visitor) => visitor.headers(0, GET)],
  ['HEADERS on a stream of the server', (visitor) => visitor.headers(2, GET)],
  [
    'a closed stream',
    (visitor) => {
      visitor.headers(5, GET);
      visitor.headers(3, GET);
    },
  ],
  [
    'a header block that cannot be decoded',
    (visitor) =>
      visitor.frame({
        type: HEADERS,
        flags: END_STREAM | END_HEADERS,
        stream: 1,
        payload: Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      }),
  ],
  [
    'a header table that is too large',
    (visitor) =>
      visitor.frame({
        type: HEADERS,
        flags: END_STREAM | END_HEADERS,
        stream: 1,
        payload: Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x07]),
      }),
  ],
  [
    'a request within the header block of another',
    (visitor) => {
      visitor.frame({ type: HEADERS, flags: END_STREAM, stream: 1, payload: headerBlock(GET) });
      visitor.headers(3, GET);
    },
  ],
  [
    'a body longer than its length',
    (visitor) => {
      visitor.headers(1, [...POST, ['content-length', '1']], END_HEADERS);
      visitor.frame({ type: DATA, flags: END_STREAM, stream: 1, payload: Buffer.from('a smuggled rest') });
    },
  ],
  [
    'a body shorter than its length',
    (visitor) => {
      visitor.headers(1, [...POST, ['content-length', '100']], END_HEADERS);
      visitor.frame({ type: DATA, flags: END_STREAM, stream: 1, payload: Buffer.from('a') });
    },
  ],
  [
    'a body of a HEAD',
    (visitor) => {
      visitor.headers(1, [[':method', 'HEAD'], SCHEME, AUTHORITY, PATH], END_HEADERS);
      visitor.frame({ type: DATA, flags: END_STREAM, stream: 1, payload: Buffer.from('a') });
    },
    true,
  ],
  ['HTTP/1.1 after the preface', (visitor) => visitor.bytes(Buffer.from('GET / HTTP/1.1\r\n\r\n'))],
];
