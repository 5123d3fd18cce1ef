import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EdgeRoute } from '../../../shared/core/edge/edge-route.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { type ForwardedRequest, forwardedHeaders } from '../../../shared/edge/forwarding/request-headers.ts';
import { HOST, NAMES, NOW_S, route } from '../edge-under-test.ts';

const ADDED = {
  host: [HOST],
  'cdn-loop': ['service'],
  'x-forwarded-proto': ['https'],
  'x-forwarded-for': ['203.0.113.7'],
  'x-service-domain-id': ['dom_1'],
  'x-service-app-id': ['app_1'],
  'x-service-timestamp': [String(NOW_S)],
  'x-service-signature': [signature('whsec_one', `${NOW_S}.GET.${HOST}./a?b=c.dom_1`)],
};

/** Returns the headers that the edge sends to the origin, by lowercase name. */
function forwarded(
  rawHeaders: string[],
  change: Partial<ForwardedRequest> = {},
  on: Partial<EdgeRoute> = {},
  names = NAMES,
) {
  const request: ForwardedRequest = {
    protocol: 'h1',
    method: 'GET',
    host: HOST,
    pathAndQuery: '/a?b=c',
    rawHeaders,
    body: 'none',
    scheme: 'https',
    clientAddress: '203.0.113.7',
    timestampS: NOW_S,
    ...change,
  };
  const flat = forwardedHeaders(request, route('https://origin.example', on), names);
  const byName: Record<string, string[]> = {};
  for (let i = 0; i < flat.length; i += 2) {
    const name = String(flat[i]).toLowerCase();
    byName[name] = [...(byName[name] ?? []), String(flat[i + 1])];
  }
  return byName;
}

function signature(secret: string, content: string): string {
  return `v1=${createHmac('sha256', secret).update(content).digest('hex')}`;
}

it("the edge adds the headers of `docs/api.md#the-service`, the visitor's address and CDN-Loop, and nothing else", () => {
  expect(forwarded(['Host', 'Careers.ACME.com:80'])).toEqual(ADDED);
});

describe('a request that the edge forwards has lost the dangerous headers of the visitor', () => {
  it.each<[string, string[]]>([
    [
      'the standard hop-by-hop headers',
      ['Connection', 'close', 'Keep-Alive', 'timeout=5', 'Upgrade', 'h2c', 'TE', 'trailers'],
    ],
    ['Transfer-Encoding and Trailer', ['Transfer-Encoding', 'chunked', 'Trailer', 'X-A']],
    [
      'proxy headers',
      ['Proxy-Connection', 'keep-alive', 'Proxy-Authorization', 'Basic x', 'Proxy-Authenticate', 'x'],
    ],
    ['Proxy, which CGI reads as HTTP_PROXY', ['Proxy', 'http://evil.example']],
    ['HTTP2-Settings', ['HTTP2-Settings', 'x']],
    [
      'headers that Connection names',
      ['Connection', 'X-Secret, keep-alive', 'X-Secret', 'a', 'x-secret', 'b'],
    ],
    [
      'headers that a second Connection names',
      ['Connection', 'close', 'CONNECTION', ' X-Secret ', 'X-Secret', 'a'],
    ],
    ['a dotted header that Connection names', ['Connection', 'X.Dot', 'X.Dot', 'a']],
    [
      'X-Forwarded-*',
      [
        'X-Forwarded-For',
        '1.2.3.4',
        'x-forwarded-host',
        'evil',
        'X-FORWARDED-PROTO',
        'http',
        'X-Forwarded-Anything',
        'x',
      ],
    ],
    ['X-Forwarded alone', ['X-Forwarded', 'for=1.2.3.4']],
    ['Forwarded', ['Forwarded', 'for=1.2.3.4;host=evil']],
    ['X-Service-*', ['X-Service-Domain-Id', 'dom_2', 'x-service-signature', 'v1=00', 'X-SERVICE-New', 'x']],
    ['X-Service-* spelt with underscores', ['X_Service_Domain_Id', 'dom_2', 'X-Service_App-Id', 'app_2']],
    [
      'X-Service-* spelled with dots and other characters',
      ['X.Service.Signature', 'v1=00', "X!Service'Signature", 'v1=00'],
    ],
    ['X-Forwarded-For spelt with a dot', ['X.Forwarded.For', '1.2.3.4']],
    ['any name with an underscore', ['Content_Length', '5', '_a', 'b', 'a_', 'b']],
    ['Expect', ['Expect', '100-continue']],
    ['another Host', ['host', 'evil.example', 'Host', 'evil.example']],
    ['pseudo-headers of HTTP/2', [':method', 'GET', ':path', '/', ':authority', 'a', ':scheme', 'https']],
    ['a Content-Length that the framing does not have', ['Content-Length', '5']],
  ])('does not contain %s', (_, rawHeaders) => {
    expect(forwarded(rawHeaders)).toEqual(ADDED);
  });
});

describe('a request that the edge forwards has the other headers of the visitor', () => {
  it.each<[string, string, string[]]>([
    ['Cookie', 'cookie', ['a=b', 'c=d']],
    ['Authorization', 'authorization', ['Bearer x']],
    ['X-Real-IP', 'x-real-ip', ['1.2.3.4']],
    ['a name that only resembles ours', 'x-services-a', ['b']],
    ['the fields of a WebSocket handshake', 'sec-websocket-key', ['dGhlIHNhbXBsZSBub25jZQ==']],
  ])('contains %s unchanged', (_, name, values) => {
    expect(forwarded(values.flatMap((value) => [name, value]))).toEqual({ ...ADDED, [name]: values });
  });

  it.each([
    'Host',
    'X-Service-Signature',
    'X-Forwarded-For',
    'CDN-Loop',
    'X-Forwarded-Proto',
    'X-Service-Timestamp',
  ])("contains the edge's own %s, even if the visitor's Connection header lists that name", (name) => {
    expect(forwarded(['Connection', name, name, 'forged'])).toMatchObject({
      ...ADDED,
      'cdn-loop': [name === 'CDN-Loop' ? 'forged, service' : 'service'],
    });
  });

  it("contains the parsed Content-Length, even if the visitor's Connection header lists it", () => {
    const headers = forwarded(['Connection', 'Content-Length', 'Content-Length', '5'], { body: 5 });
    expect(headers).toEqual({ ...ADDED, 'content-length': ['5'] });
  });
});

it("the edge replaces a visitor's header by the origin header of the same name, in any spelling", () => {
  const visitor = ['x-tenant', 'evil', 'X-TENANT', 'evil', 'X_Tenant', 'evil', 'X.Tenant', 'evil'];
  const headers = forwarded(visitor, {}, { origin_headers: { 'X-Tenant': 'acme', 'X-Plan': 'pro' } });
  expect(headers).toEqual({ ...ADDED, 'x-tenant': ['acme'], 'x-plan': ['pro'] });
});

it('the edge adds an origin header even if Connection names it', () => {
  const headers = forwarded(['Connection', 'X-Tenant'], {}, { origin_headers: { 'X-Tenant': 'acme' } });
  expect(headers['x-tenant']).toEqual(['acme']);
});

it('the edge appends itself to CDN-Loop', () => {
  const headers = forwarded(['CDN-Loop', 'other; a=b', 'cdn-loop', 'third']);
  expect(headers['cdn-loop']).toEqual(['other; a=b, third, service']);
});

it("the edge signs the method, host, path and query, and domain with the route's secret", () => {
  const headers = forwarded(
    [],
    { method: 'POST', pathAndQuery: '/%2F?a=1&a=2' },
    { signing_secret: 'whsec_two', domain_id: 'dom_9' },
  );
  const content = `${NOW_S}.POST.${HOST}./%2F?a=1&a=2.dom_9`;
  expect(headers['x-service-signature']).toEqual([signature('whsec_two', content)]);
});

it('the edge derives the names of its headers from the service name', () => {
  const headers = forwarded(
    ['X-Plate-App-Id', 'app_2', 'X-Service-App-Id', 'kept'],
    {},
    {},
    serviceNames('Plate'),
  );
  expect(headers).toMatchObject({
    'x-plate-app-id': ['app_1'],
    'x-service-app-id': ['kept'],
    'cdn-loop': ['plate'],
  });
});
