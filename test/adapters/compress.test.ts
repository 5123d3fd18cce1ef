import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptedCoding, compressed, type EncodedForms } from '../../shared/adapters/compress.ts';

describe('the Accept-Encoding of a request decides the compression', () => {
  test.each([
    [null, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=1', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br; q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=x', 'gzip'],
  ])('Accept-Encoding "%s" selects the compression %s', (accepted, coding) => {
    expect(acceptedCoding(accepted)).toBe(coding);
  });
});

describe('a response body is compressed if the client accepts that', () => {
  const text = 'Waiting for your DNS record. '.repeat(100);
  const asked = (accepted: string) => ({ headers: new Headers({ 'accept-encoding': accepted }) });
  const read = async (response: Response) => Buffer.from(await response.arrayBuffer());

  test('the client can decode the smaller body, with either coding', async () => {
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await compressed(asked(coding), new Response(text, { status: 404 }));
      const body = await read(response);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(body.length).toBeLessThan(text.length / 5);
      expect(decode(body).toString()).toBe(text);
    }
  });

  test('a client that accepts no coding gets the unchanged body and the header Vary', async () => {
    const response = await compressed(asked('identity'), new Response(text, { headers: { etag: '"a"' } }));
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(response.headers.get('etag')).toBe('"a"');
    expect((await read(response)).toString()).toBe(text);
  });

  test('a small or empty body is not compressed', async () => {
    const small = await compressed(asked('br'), new Response('small'));
    expect(small.headers.has('content-encoding')).toBe(false);
    const none = await compressed(asked('br'), new Response(null, { status: 204 }));
    expect([none.status, none.body]).toEqual([204, null]);
  });

  test('a compressed response gets a weak ETag, and its other Vary values remain', async () => {
    const headers = { etag: '"a"', vary: 'cookie' };
    const response = await compressed(asked('br'), new Response(text, { headers }));
    expect(response.headers.get('etag')).toBe('W/"a"');
    expect(response.headers.get('vary')).toBe('cookie, accept-encoding');
  });

  test('a body that never changes is compressed only once', async () => {
    const forms: EncodedForms = new Map();
    await compressed(asked('br'), new Response(text), forms);
    const form = forms.get('br');
    await compressed(asked('br'), new Response(text), forms);
    expect(forms.get('br')).toBe(form);
    expect([...forms.keys()]).toEqual(['br']);
  });
});
