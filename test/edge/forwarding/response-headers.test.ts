import { expect, it } from 'vitest';
import { visitorHeaders } from '../../../shared/edge/forwarding/response-headers.ts';

it.each<[string, string[]]>([
  [
    'the headers of the connection',
    ['Connection', 'close', 'Keep-Alive', 'timeout=5', 'Upgrade', 'h2c', 'Trailer', 'X-A'],
  ],
  ['chunked', ['Transfer-Encoding', 'CHUNKED']],
  ['what Connection names', ['Connection', 'X-Internal', 'x-internal', 'a']],
  ['proxy headers', ['Proxy-Authenticate', 'Basic', 'Proxy-Connection', 'close']],
  ['other doors to the hostname', ['Alt-Svc', 'h3=":443"']],
])('drops %s', (_, raw_headers) => {
  expect(visitorHeaders([...raw_headers, 'X-Kept', 'b'], 200)).toEqual(['X-Kept', 'b']);
});

it('keeps the rest as it is, in order', () => {
  const raw = ['Set-Cookie', 'a=b', 'Content-Length', '3', 'set-cookie', 'c=d', 'X_Y', 'caf\xe9'];
  expect(visitorHeaders(raw, 200)).toEqual(raw);
});

it.each([204, 103])('drops the length of a %i', (status) => {
  expect(visitorHeaders(['Content-Length', '0', 'ETag', '"a"'], status)).toEqual(['ETag', '"a"']);
});

it.each([['gzip, chunked'], ['gzip'], ['chunked, chunked'], ['']])(
  'passes on no body coded as "%s"',
  (coding) => {
    expect(visitorHeaders(['Transfer-Encoding', coding], 200)).toBeNull();
  },
);

it('passes on no body with two codings', () => {
  expect(visitorHeaders(['Transfer-Encoding', 'chunked', 'transfer-encoding', 'chunked'], 200)).toBeNull();
});
