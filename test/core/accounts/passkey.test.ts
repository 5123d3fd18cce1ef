import { expect, test } from 'vitest';
import { passkeySite } from '../../../shared/core/accounts/passkey.ts';

test.each([
  ['https://api.example.net', { host: 'api.example.net', origin: 'https://api.example.net' }],
  ['https://api.example.net:8443/base', { host: 'api.example.net', origin: 'https://api.example.net:8443' }],
  ['http://localhost:4500', { host: 'localhost', origin: 'http://localhost:4500' }],
  ['http://api.example.net', null],
  ['http://127.0.0.1:4500', null],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]', null],
])('the passkeys of a dashboard at %s belong to the site %o', (baseUrl, site) => {
  expect(passkeySite(baseUrl)).toEqual(site);
});
