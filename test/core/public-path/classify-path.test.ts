import { expect, it } from 'vitest';
import {
  type AddressProbe,
  classifyPath,
  type PathResponse,
} from '../../../shared/core/public-path/classify-path.ts';
import type { PathReceipt } from '../../../shared/core/public-path/path-receipt.ts';
import { HOP_NAMES, type Hop } from '../../../shared/core/public-path/public-path.ts';

const HOST = 'careers.acme.com';
let issued = 0;

function receipt(
  change: Partial<PathReceipt> = {},
  more: Partial<Extract<PathResponse, { kind: 'receipt' }>> = {},
) {
  const id = String(++issued);
  const given = {
    token: 't',
    id,
    host: HOST,
    path: '/t',
    scheme: 'https',
    cookie: true,
    header: true,
  } as const;
  return {
    kind: 'receipt',
    receipt: { ...given, ...change },
    path: '/t',
    whole: true,
    serial: 'aa',
    ...more,
  } as const;
}

const status = (code: number) => ({ kind: 'response', status: code }) as const;
const HTTP = { scheme: 'http' } as const;

/** Returns a probe in which HTTP and HTTPS requests reach our edge through a proxy with its own certificate. */
function probe(change: Partial<AddressProbe> = {}): AddressProbe {
  return {
    address: '203.0.113.1',
    http: receipt(HTTP),
    https: receipt(),
    ordinary: receipt(),
    again: receipt(),
    ...change,
  };
}

/** Returns a probe in which only plain HTTP requests reach our edge. */
const plain = (change: Partial<AddressProbe> = {}) =>
  probe({ https: { kind: 'broken' }, ordinary: receipt(HTTP), again: receipt(HTTP), ...change });
const nowhere = (http: PathResponse, https: PathResponse) =>
  probe({ http, https, ordinary: null, again: null });

type Row = [
  title: string,
  found: AddressProbe | AddressProbe[],
  serial: string | null,
  hop: Hop,
  leadsHere: boolean,
];

const ROWS: Row[] = [
  ['a proxy that ends TLS', probe(), null, 'tls_ended', true],
  ['a proxy that ends TLS, beside our certificate', probe(), 'bb', 'tls_ended', true],
  ['a balancer that passes TLS on', probe(), 'aa', 'proxied', true],
  ['a proxy without port 80', probe({ http: { kind: 'silent' } }), 'aa', 'proxied', true],
  ['a proxy that redirects to HTTPS', probe({ http: { kind: 'other_scheme' } }), 'aa', 'proxied', true],
  ['plain HTTP before the certificate', plain(), null, 'proxied', true],
  ['plain HTTP while a proxy cannot reach us by HTTPS', plain({ https: status(502) }), null, 'proxied', true],
  [
    'ordinary paths that are redirected to HTTPS before it',
    plain({ ordinary: { kind: 'other_scheme' } }),
    null,
    'proxied',
    true,
  ],
  ['plain HTTP alone, though we have a certificate', plain(), 'aa', 'proxied', false],
  ['a wrong certificate', plain({ https: { kind: 'bad_certificate' } }), null, 'proxied', false],
  ['another site by HTTPS', plain({ https: status(200) }), null, 'partial', false],
  ['another site by plain HTTP', probe({ http: status(200) }), null, 'partial', false],
  ['another site at ordinary paths', probe({ ordinary: status(404) }), null, 'partial', false],
  [
    'another site at ordinary paths, before the certificate',
    plain({ ordinary: status(200) }),
    null,
    'partial',
    false,
  ],
  [
    'another site at the well-known path',
    { ...nowhere(status(404), status(404)), ordinary: receipt() },
    null,
    'partial',
    false,
  ],
  ['requests that reach us only now and then', probe({ again: status(200) }), null, 'partial', false],
  [
    'HTTPS that arrives as plain HTTP',
    probe({ https: receipt(HTTP), ordinary: receipt(HTTP), again: receipt(HTTP) }),
    null,
    'flexible',
    false,
  ],
  [
    'two redirects to each other',
    nowhere({ kind: 'other_scheme' }, { kind: 'other_scheme' }),
    null,
    'looping',
    false,
  ],
  ['a redirect to itself', nowhere({ kind: 'loop' }, { kind: 'silent' }), null, 'looping', false],
  ['a request that passes through us again', nowhere(status(508), status(508)), null, 'looping', false],
  [
    'a redirect to another site',
    nowhere({ kind: 'redirect' }, { kind: 'silent' }),
    null,
    'redirected',
    false,
  ],
  ['HTTPS that redirects to another site', plain({ https: { kind: 'redirect' } }), null, 'redirected', false],
  ['another hostname', probe({ https: receipt({ host: 'origin.example' }) }), null, 'host_rewritten', false],
  ['another path', probe({ https: receipt({ path: '/app/t' }) }), null, 'path_rewritten', false],
  ['a lost cookie', probe({ https: receipt({ cookie: false }) }), null, 'headers_stripped', false],
  ['a lost header', plain({ http: receipt({ ...HTTP, header: false }) }), null, 'headers_stripped', false],
  [
    'a lost header of the response',
    probe({ https: receipt({}, { whole: false }) }),
    null,
    'headers_stripped',
    false,
  ],
  ['a receipt of another request', nowhere({ kind: 'stale' }, { kind: 'stale' }), null, 'cached', false],
  [
    'a receipt of another request at ordinary paths',
    probe({ ordinary: { kind: 'stale' } }),
    null,
    'cached',
    false,
  ],
  [
    'the same receipt twice',
    probe({ https: receipt({ id: 'x' }), again: receipt({ id: 'x' }) }),
    null,
    'cached',
    false,
  ],
  ['another server', nowhere(status(404), status(200)), null, 'elsewhere', false],
  ['another server by plain HTTP alone', nowhere(status(200), { kind: 'silent' }), null, 'elsewhere', false],
  ['silence', nowhere({ kind: 'silent' }, { kind: 'silent' }), null, 'unreachable', false],
  ['failures of a proxy', nowhere(status(502), status(525)), null, 'unreachable', false],
  [
    'a redirect to HTTPS that fails',
    nowhere({ kind: 'other_scheme' }, status(525)),
    null,
    'unreachable',
    false,
  ],
  ['two addresses that lead here', [probe(), probe()], null, 'tls_ended', true],
  [
    'a silent address beside one that leads here',
    [probe(), nowhere({ kind: 'silent' }, { kind: 'silent' })],
    null,
    'tls_ended',
    true,
  ],
  [
    'another server beside one that leads here',
    [probe(), nowhere(status(200), status(200))],
    null,
    'elsewhere',
    false,
  ],
  ['no address', [], null, 'unreachable', false],
];

it.each(ROWS)('the probe of the public path classifies %s', (_, found, serial, hop, leadsHere) => {
  const path = classifyPath([found].flat(), { hostname: HOST, serial });
  expect(path).toMatchObject({ hop, leads_here: leadsHere });
});

it('the table has a row for each kind of path that a probe can find', () => {
  const seen = new Set(ROWS.map(([, , , hop]) => hop));
  // `direct` needs no probe, because the DNS records point to our edge.
  expect(HOP_NAMES.filter((hop) => !seen.has(hop))).toEqual(['direct']);
});

it('the probe of the public path reports failing HTTPS only if plain HTTP reaches the edge', () => {
  const fails = ROWS.filter(
    ([, found, serial]) => classifyPath([found].flat(), { hostname: HOST, serial }).https_fails,
  );
  expect(fails.map(([title]) => title)).toEqual([
    'plain HTTP alone, though we have a certificate',
    'a wrong certificate',
  ]);
});
