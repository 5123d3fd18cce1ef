import { expect, it } from 'vitest';
import { authorityOf, readHost } from '../../../shared/edge/wire/request-host.ts';

it.each([
  ['careers.acme.com', 'careers.acme.com', '', ''],
  ['CAREERS.Acme.Com.', 'careers.acme.com', '', ''],
  ['careers.acme.com:4401', 'careers.acme.com', '', ':4401'],
  ['careers.acme.com.:80', 'careers.acme.com', '', ':80'],
  ['careers.acme.com.localhost:4401', 'careers.acme.com', '.localhost', ':4401'],
  ['careers.acme.com.LOCALHOST.', 'careers.acme.com', '.localhost', ''],
  ['localhost:4401', 'localhost', '', ':4401'],
  ['dom_01k2.sandbox.example.com', 'dom_01k2.sandbox.example.com', '', ''],
  ['[::1]:4401', '[::1]', '', ':4401'],
  ['127.0.0.1', '127.0.0.1', '', ''],
])('the Host %s is read as the hostname %s', (value, hostname, suffix, port) => {
  expect(readHost(value, { localhostSuffix: true })).toEqual({ hostname, suffix, port });
});

it('the service keeps the suffix .localhost in the hostname', () => {
  expect(readHost('a.example.com.localhost', { localhostSuffix: false })?.hostname).toBe(
    'a.example.com.localhost',
  );
});

it('the emulator keeps the suffix and the port when the hostname is replaced', () => {
  const host = readHost('www.acme.com.localhost:4401', { localhostSuffix: true });
  expect(host && authorityOf(host, 'acme.com')).toBe('acme.com.localhost:4401');
});
