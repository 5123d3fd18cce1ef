import { expect, it } from 'vitest';
import { visitorHeaders } from '../../../shared/edge/forwarding/response-headers.ts';

it.each<[string, string[]]>([
  [
    'the standard hop-by-hop headers',
    ['Connection', 'close', 'Keep-Alive', 'timeout=5', 'Upgrade', 'h2c', 'Trailer', 'X-A'],
  ],
  ['chunked', ['Transfer-Encoding', 'CHUNKED']],
  ['headers that Connection names', ['Connection', 'X-Internal', 'x-internal', 'a']],
  ['proxy headers', ['Proxy-Authenticate', 'Basic', 'Proxy-Connection', 'close']],
  ['Alt-Svc', ['Alt-Svc', 'h3=":443"']],
])('the edge drops %s from a response', (_, rawHeaders) => {
  expect(visitorHeaders([...rawHeaders, 'X-Kept', 'b'], 200)).toEqual(['X-Kept', 'b']);
});

it('the edge forwards all other response headers unchanged, in order', () => {
  const raw = ['Set-Cookie', 'a=b', 'Content-Length', '3', 'set-cookie', 'c=d', 'X_Y', 'caf\xe9'];
  expect(visitorHeaders(raw, 200)).toEqual(raw);
});

it.each([204, 103])('the edge drops Content-Length from a response with the status %i', (status) => {
  expect(visitorHeaders(['Content-Length', '0', 'ETag', '"a"'], status)).toEqual(['ETag', '"a"']);
});

it.each([['gzip, chunked'], ['gzip'], ['chunked, chunked'], ['']])(
  'the edge rejects a response with Transfer-Encoding "%s"',
  (coding) => {
    expect(visitorHeaders(['Transfer-Encoding', coding], 200)).toBeNull();
  },
);

it('the edge rejects a response with two Transfer-Encoding headers', () => {
  expect(visitorHeaders(['Transfer-Encoding', 'chunked', 'transfer-encoding', 'chunked'], 200)).toBeNull();
});
