import { expect, test } from 'vitest';
import { responseSample } from '../../../shared/core/webhooks/response-sample.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the stored sample of a webhook response has the headers that help to find a fault, and no header with credentials', () => {
  const headers = {
    'content-type': 'text/html',
    'set-cookie': ['session=1', 'other=2'],
    authorization: 'Bearer secret',
    server: 'nginx',
    via: ['1.1 a', '1.1 b'],
  };
  expect(responseSample(headers, bytes('no')).response_headers).toEqual({
    'content-type': 'text/html',
    server: 'nginx',
    via: '1.1 a, 1.1 b',
  });
});

test('the stored sample of a webhook response has at most 256 characters of each header', () => {
  const { response_headers } = responseSample({ server: 'x'.repeat(9_000) }, bytes(''));
  expect(response_headers['server']).toHaveLength(256);
});

test('the stored sample of a webhook response leaves out a character that the limit has cut', () => {
  expect(responseSample({}, bytes('grün').subarray(0, 3)).response_body).toBe('gr');
});

test('the stored sample of a webhook response replaces characters that the database cannot store', () => {
  const body = Uint8Array.of(0x61, 0x00, 0xff, 0x62);
  expect(responseSample({ server: 'a\0b' }, body)).toEqual({
    response_headers: { server: 'a\ufffdb' },
    response_body: 'a\ufffd\ufffdb',
  });
});
