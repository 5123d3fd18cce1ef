import { describe, expect, it } from 'vitest';
import {
  type AppValue,
  edgeKey,
  type HostValue,
  httpChallengeKey,
  routeAt,
  splitChain,
  splitKey,
  tlsChallengeKey,
} from '../../../shared/core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';

const HOST = 'careers.acme.com';
const [START, END] = [1_000, 9_000];

const host = (more: Partial<HostValue> = {}): HostValue => ({
  domain_id: 'dom_1' as DomainId,
  app_id: 'app_1' as AppId,
  mode: 'live',
  is_held: false,
  not_before: START,
  not_after: END,
  origin: null,
  origin_headers: { 'X-Tenant': '1' },
  redirects_www: false,
  certificate: null,
  ...more,
});

const app = (more: Partial<AppValue> = {}): AppValue => ({
  origin: 'https://one.example',
  secret: 'new',
  previous: null,
  domain_origins: { before: true, changes_at: null, after: true },
  ...more,
});

/** Returns a part of the route at each of these times; null if there is no route. */
function at<T>(
  times: readonly number[],
  part: (route: Exclude<ReturnType<typeof routeAt>, string | null>) => T,
  given: { host?: Partial<HostValue>; app?: Partial<AppValue> } = {},
): (T | string | null)[] {
  return times.map((now) => {
    const route = routeAt(HOST, host(given.host), app(given.app), now);
    return route === null || typeof route === 'string' ? route : part(route);
  });
}

describe("the route of an edge's values at a time", () => {
  it('has the fields of the host and of its app', () => {
    expect(routeAt(HOST, host(), app(), START)).toEqual({
      domain_id: 'dom_1',
      app_id: 'app_1',
      hostname: HOST,
      origin: { kind: 'app', url: 'https://one.example' },
      origin_headers: { 'X-Tenant': '1' },
      signing_secret: 'new',
      redirectTo: null,
      until: END,
    });
  });

  it('exists from the first to the last moment of the certificate, and never without one', () => {
    expect(at([START - 1, START, END - 1, END], ({ hostname }) => hostname)).toEqual([
      null,
      HOST,
      HOST,
      null,
    ]);
    expect(at([0, 1], () => 'route', { host: { not_before: 0, not_after: 0 } })).toEqual([null, null]);
  });

  it('is held for a held domain, with or without a valid certificate', () => {
    expect(at([0, START, END], () => 'route', { host: { is_held: true } })).toEqual(['held', 'held', 'held']);
  });

  it('signs with the secret that origins already know until the rotation takes effect, and with the new one from then on', () => {
    const rotation = { app: { previous: { secret: 'old', until: 5_000 } } };
    expect(at([4_999, 5_000], (route) => route.signing_secret, rotation)).toEqual(['old', 'new']);
    expect(at([4_999, 5_000], (route) => route.until, rotation)).toEqual([5_000, END]);
  });

  it.each<[string, boolean, boolean, string[]]>([
    ['ends', true, false, ['own', 'app']],
    ['begins', false, true, ['app', 'own']],
    ['stays', true, true, ['own', 'own']],
  ])(
    "uses the domain's own origin only while the plan includes it, when the plan %s",
    (_, before, after, origins) => {
      const given = {
        host: { origin: 'own' },
        app: { origin: 'app', domain_origins: { before, changes_at: 5_000, after } },
      };
      const url = ({ origin }: { origin: { kind: string; url?: string } | null }) => origin?.url;
      expect(at([4_999, 5_000], url, given)).toEqual(origins);
      expect(at([4_999, 5_000], (route) => route.until, given)).toEqual([5_000, END]);
    },
  );

  it('ends at the first of all coming moments', () => {
    const given = {
      app: {
        previous: { secret: 'old', until: 3_000 },
        domain_origins: { before: true, changes_at: 2_000, after: false },
      },
    };
    expect(at([START, 2_000, 3_000], (route) => route.until, given)).toEqual([2_000, 3_000, END]);
  });

  it.each([
    ['live', null, null, null],
    ['test', null, null, { kind: 'sandbox' }],
    ['test', 'https://own.example', null, { kind: 'app', url: 'https://own.example' }],
    ['test', null, 'https://app.example', { kind: 'app', url: 'https://app.example' }],
    ['host', null, 'https://app.example', { kind: 'connect' }],
  ] as const)(
    'sends visitors of a %s domain with the origin %s, whose app has the origin %s, to %o',
    (mode, own, origin, expected) => {
      const given = { host: { mode, origin: own }, app: { origin } };
      expect(at([START], (route) => route.origin, given)).toEqual([expected]);
    },
  );
});

describe("the keys of an edge's values", () => {
  it.each([
    ['host', 'careers.acme.com'],
    ['hold', '*.acme.com'],
    ['app', 'app_1'],
  ] as const)('name the kind %s and the name %s, and split into the two again', (kind, name) => {
    expect(splitKey(edgeKey(kind, name))).toEqual([kind, name]);
  });

  it('differ for each challenge by method, host and token, and show no part of them', () => {
    const keys = [
      httpChallengeKey(HOST, 'token'),
      httpChallengeKey(HOST, 'other'),
      httpChallengeKey('jobs.acme.com', 'token'),
      httpChallengeKey(`${HOST} token`, ''),
      tlsChallengeKey(HOST),
      tlsChallengeKey(`${HOST} token`),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^challenge\.[\w-]{43}$/);
  });
});

describe('a chain of certificates is split', () => {
  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

  it('into the certificate and its issuers, which together are the chain again', () => {
    const chain = pem('leaf') + pem('issuer') + pem('root');
    const { leaf, issuers, rest } = splitChain(chain);
    expect(leaf + rest).toBe(chain);
    expect(leaf).toBe(pem('leaf').trimEnd());
    expect(splitChain(pem('other') + pem('issuer') + pem('root')).issuers).toBe(issuers);
    expect(splitChain(pem('leaf') + pem('issuer')).issuers).not.toBe(issuers);
  });

  it('into the certificate alone if it has no issuers', () => {
    expect(splitChain(pem('leaf'))).toMatchObject({ leaf: pem('leaf').trimEnd(), rest: '\n' });
  });
});
