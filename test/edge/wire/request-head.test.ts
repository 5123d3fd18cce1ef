import { describe, expect, it } from 'vitest';
import {
  isWebSocketUpgrade,
  type RequestHead,
  readRequestHead,
} from '../../../shared/edge/wire/request-head.ts';
import { NAMES } from '../edge-under-test.ts';

const OPTIONS = { names: NAMES, localhostSuffix: false };

function read(change: Partial<RequestHead>, ...headers: [string, string][]) {
  const rawHeaders = [['Host', 'a.example.com'], ...headers].flat();
  return readRequestHead(
    { protocol: 'h1', httpVersion: '1.1', method: 'GET', target: '/', rawHeaders, ...change },
    OPTIONS,
  );
}

const chunked: [string, string] = ['Transfer-Encoding', 'chunked'];

describe('the edge refuses ambiguous requests', () => {
  it.each<[string, number, Partial<RequestHead>, ...[string, string][]]>([
    ['without a Host', 400, { rawHeaders: [] }],
    ['with two Hosts', 400, {}, ['host', 'b.example.com']],
    ['with two equal Hosts', 400, {}, ['HOST', 'a.example.com']],
    ['with an empty Host', 400, { rawHeaders: ['Host', ''] }],
    ['with a user in the Host', 400, { rawHeaders: ['Host', 'u@a.example.com'] }],
    ['with two names in the Host', 400, { rawHeaders: ['Host', 'a.example.com, b.example.com'] }],
    ['with a path in the Host', 400, { rawHeaders: ['Host', 'a.example.com/b'] }],
    ['with a space in the Host', 400, { rawHeaders: ['Host', 'a.example.com b'] }],
    ['with a percent escape in the Host', 400, { rawHeaders: ['Host', 'a%2eexample.com'] }],
    ['with a byte over ASCII in the Host', 400, { rawHeaders: ['Host', 'caf\xe9.example.com'] }],
    ['with an invalid port', 400, { rawHeaders: ['Host', 'a.example.com:x'] }],
    ['with a port that is too high', 400, { rawHeaders: ['Host', 'a.example.com:65536'] }],
    ['with an empty label in the Host', 400, { rawHeaders: ['Host', 'a..example.com'] }],
    ['with two trailing dots', 400, { rawHeaders: ['Host', 'a.example.com..'] }],
    ['with a Host of 254 characters', 400, { rawHeaders: ['Host', `${'a.'.repeat(126)}aa`] }],
    ['with an absolute-form target without an authority', 400, { target: 'http:///a' }],
    ['with an absolute-form target of another scheme', 400, { target: 'ftp://a.example.com/' }],
    ['with a user in an absolute-form target', 400, { target: 'http://u@a.example.com/' }],
    ['with a fragment in an absolute-form target', 400, { target: 'http://a.example.com/#a' }],
    ['with an authority-form target', 400, { target: 'b.example.com:443' }],
    ['with CONNECT', 400, { method: 'CONNECT', target: 'b.example.com:443' }],
    ['with CONNECT and a path', 400, { method: 'CONNECT', target: '/' }],
    ['with the asterisk-form', 400, { method: 'OPTIONS', target: '*' }],
    ['with an empty target', 400, { target: '' }],
    ['with a space in the target', 400, { target: '/a b' }],
    ['with a control character in the target', 400, { target: '/a\rb' }],
    ['with a byte over ASCII in the target', 400, { target: '/caf\xe9' }],
    ['with a fragment', 400, { target: '/a#b' }],
    ['with TRACE, which would echo our headers', 501, { method: 'TRACE' }],
    ['with a control character in a header', 400, {}, ['X-A', 'b\x01c']],
    ['with a line folded', 400, {}, ['X-A', 'b\r\n c']],
    ['with a bare line feed in a header', 400, {}, ['X-A', 'b\nX-B: c']],
    ['with a NUL in a header', 400, {}, ['X-A', 'b\0']],
    ['with a DEL in a header', 400, {}, ['X-A', 'b\x7f']],
    ['with a coding before chunked', 400, {}, ['Transfer-Encoding', 'gzip, chunked']],
    ['with a coding after chunked', 400, {}, ['Transfer-Encoding', 'chunked, identity']],
    ['with a coding that is not chunked', 400, {}, ['Transfer-Encoding', 'identity']],
    ['with chunked misspelled', 400, {}, ['Transfer-Encoding', 'xchunked']],
    ['with chunked in quotes', 400, {}, ['Transfer-Encoding', '"chunked"']],
    ['with an empty Transfer-Encoding', 400, {}, ['Transfer-Encoding', '']],
    ['with two Transfer-Encodings', 400, {}, chunked, chunked],
    ['with both framings', 400, {}, chunked, ['Content-Length', '3']],
    ['with Transfer-Encoding in HTTP/1.0', 400, { httpVersion: '1.0' }, chunked],
    ['with two lengths', 400, {}, ['Content-Length', '3'], ['Content-Length', '4']],
    ['with two equal lengths', 400, {}, ['Content-Length', '3'], ['Content-Length', '3']],
    ['with a list of lengths', 400, {}, ['Content-Length', '3, 3']],
    ['with a sign in the length', 400, {}, ['Content-Length', '+3']],
    ['with a negative length', 400, {}, ['Content-Length', '-3']],
    ['with a hexadecimal length', 400, {}, ['Content-Length', '0x3']],
    ['with a length that is too large', 400, {}, ['Content-Length', '9007199254740993']],
    ['with an empty length', 400, {}, ['Content-Length', '']],
    ['as HTTP/0.9', 400, { httpVersion: '0.9' }],
    ['as HTTP/2.0 in a text request line', 400, { httpVersion: '2.0' }],
    ['with too many headers', 431, { rawHeaders: Array<string>(258).fill('x') }],
    ['when it upgrades with a body', 400, {}, ['Connection', 'upgrade'], ['Upgrade', 'websocket'], chunked],
    [
      'when it came through three times',
      508,
      {},
      ['CDN-Loop', 'service, other; a=b'],
      ['cdn-loop', 'Service;v=1, service'],
    ],
  ])('refuses a request %s', (_, status, change, ...headers) => {
    expect(read(change, ...headers)).toMatchObject({ ok: false, status });
  });
});

describe('the edge accepts valid requests', () => {
  it.each<[string, object, Partial<RequestHead>, ...[string, string][]]>([
    ['without a body', { body: 'none', upgrade: false }, {}],
    ['with a length', { body: 3 }, { method: 'POST' }, ['content-length', '3']],
    ['with length zero', { body: 0 }, { method: 'POST' }, ['Content-Length', '0']],
    ['in chunks', { body: 'chunked' }, { method: 'POST' }, ['transfer-encoding', 'Chunked']],
    ['as HTTP/1.0', { body: 'none' }, { httpVersion: '1.0' }],
    [
      'with odd but visible characters in the target',
      { pathAndQuery: '//a/../b?c=|{}"\\' },
      { target: '//a/../b?c=|{}"\\' },
    ],
    [
      'with an absolute-form target, whose authority replaces the Host',
      { host: { hostname: 'b.example.com', port: ':81', suffix: '' }, pathAndQuery: '/a?b=c' },
      { target: 'http://B.example.com:81/a?b=c' },
    ],
    [
      'with an absolute-form target without a path',
      { pathAndQuery: '/?a' },
      { target: 'HTTPS://a.example.com?a' },
    ],
    ['with bytes over ASCII in a header', { ok: true }, {}, ['X-A', 'caf\xe9\t']],
    ['when it passed through twice', { ok: true }, {}, ['CDN-Loop', 'service, services, service']],
    [
      'when it is a WebSocket handshake',
      { upgrade: true },
      {},
      ['Connection', 'keep-alive, Upgrade'],
      ['Upgrade', 'WebSocket'],
    ],
    [
      'with an upgrade that is not WebSocket, but ignores the upgrade',
      { upgrade: false },
      {},
      ['Connection', 'Upgrade'],
      ['Upgrade', 'h2c'],
    ],
  ])('accepts a request %s', (_, expected, change, ...headers) => {
    expect(read(change, ...headers)).toMatchObject({ ok: true, ...expected });
  });

  it('reads the host of a request over HTTP/2 from the authority', () => {
    const rawHeaders = [':method', 'GET', ':scheme', 'https', ':authority', 'A.example.com:443'];
    const ended = { protocol: 'h2', httpVersion: '2.0', rawHeaders, endsHere: true } as const;
    expect(read(ended)).toMatchObject({
      ok: true,
      host: { hostname: 'a.example.com', port: ':443' },
      body: 'none',
    });
    expect(read({ ...ended, endsHere: false })).toMatchObject({ ok: true, body: 'chunked' });
  });

  it('refuses a request over HTTP/2 with a different Host or a transfer coding', () => {
    const other = [':scheme', 'https', ':authority', 'a.example.com', 'host', 'b.example.com'];
    expect(read({ protocol: 'h2', httpVersion: '2.0', rawHeaders: other })).toMatchObject({ status: 400 });
    const coded = [':scheme', 'https', ':authority', 'a.example.com', ...chunked];
    expect(read({ protocol: 'h2', httpVersion: '2.0', rawHeaders: coded })).toMatchObject({ status: 400 });
  });

  it.each([
    ['another scheme', 'GET', ['http']],
    ['no scheme', 'GET', []],
    ['two schemes', 'GET', ['https', 'https']],
    ['a body of a HEAD', 'HEAD', ['https']],
  ])('refuses a request over HTTP/2 with %s', (_, method, schemes) => {
    const scheme = schemes.flatMap((each) => [':scheme', each]);
    const rawHeaders = [...scheme, ':authority', 'a.example.com'];
    expect(read({ protocol: 'h2', httpVersion: '2.0', method, rawHeaders })).toMatchObject({
      status: 400,
    });
  });
});

it.each<[string, boolean, string, string, string[]]>([
  ['a handshake', true, 'GET', '1.1', ['Connection', 'upgrade', 'Upgrade', 'websocket']],
  ['a POST', false, 'POST', '1.1', ['Connection', 'upgrade', 'Upgrade', 'websocket']],
  ['HTTP/1.0', false, 'GET', '1.0', ['Connection', 'upgrade', 'Upgrade', 'websocket']],
  ['an Upgrade that Connection does not list', false, 'GET', '1.1', ['Upgrade', 'websocket']],
  ['a choice of protocols', false, 'GET', '1.1', ['Connection', 'upgrade', 'Upgrade', 'websocket, h2c']],
])('isWebSocketUpgrade of %s is %s', (_, expected, method, httpVersion, rawHeaders) => {
  expect(isWebSocketUpgrade({ method, httpVersion, rawHeaders })).toBe(expected);
});
