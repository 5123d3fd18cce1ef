import { describe, expect, it, test } from 'vitest';
import { EDGE_METHODS } from '../../../shared/core/certificates/acme-challenge.ts';
import { allowedMethods, type Ca, KNOWN_CAS, USUAL_LIMITS } from '../../../shared/core/certificates/ca.ts';
import {
  answerAgainAt,
  type CertificateOrder,
  checkEdgeAgainAt,
  newOrder,
  nextOrderStep,
  ORDER_STALLED_MS,
  pollAgainAt,
  restartedOrder,
} from '../../../shared/core/certificates/certificate-order.ts';
import type { Lookup } from '../../../shared/core/dns/dns-survey.ts';
import type { CertificateId, DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { T0 } from '../domains/sample-domain.ts';

const NEW = newOrder('dom_1' as DomainId, 'issue', T0);

describe('the next step of a certificate order follows from its state', () => {
  it.each<[string, Partial<CertificateOrder>, ReturnType<typeof nextOrderStep>]>([
    ['no authority is chosen', {}, 'choose'],
    ['an authority is chosen', { ca: 'first' }, 'place'],
    ['it is placed', { ca: 'first', order_url: 'https://ca.example/1' }, 'look'],
    [
      'the certificate is stored',
      { ca: 'first', order_url: 'a', certificate_id: 'crt_1' as CertificateId },
      'prove',
    ],
    ['it was released from a hold, whatever is stored', { unchecked_since: T0, ca: 'first' }, 'await_check'],
  ])('an order takes the expected step if %s', (_, change, step) => {
    expect(nextOrderStep({ ...NEW, ...change })).toBe(step);
  });
});

test('a restarted certificate order keeps its failures and forgets the authority', () => {
  const problem = { reason: 'ca_unavailable', found: null, at: null, until: null } as const;
  const failed = { ...NEW, failures: 2, tried: ['first'], problem, without_www: true, unshown_since: T0 };
  const placed = {
    ...failed,
    ca: 'first',
    order_url: 'a',
    private_key: 'sealed',
    answered_times: 1,
    answer_again_at: T0,
    failing_since: T0,
    names: ['a'],
  };
  expect(restartedOrder(placed, T0 + 5)).toEqual({ ...failed, progressed_at: T0 + 5 });
});

test.each([
  ['at once', 0, null, 200],
  ['with growing delays', 8_000, null, 2_000],
  ['at least once a minute', 3_600_000, null, MINUTE_MS],
  ['when the authority asks for it', 0, 3_000, 3_000],
  ['but not in an hour', 0, 3_600_000, MINUTE_MS],
  ['and never at once', 0, -5, 200],
])('a certificate order is polled again %s', (_, waitedMs, retryAfterMs, waitMs) => {
  const now = T0 + waitedMs;
  expect(pollAgainAt(T0, retryAfterMs === null ? null : now + retryAfterMs, now)).toBe(now + waitMs);
});

test.each([
  ['after 5 s', 1, null, 5_000],
  ['after three times as long each time', 3, null, 45_000],
  ['at most a minute later', 5, null, MINUTE_MS],
  ['no sooner than the authority says', 1, 90_000, 90_000],
  ['but not in an hour', 1, 3_600_000, ORDER_STALLED_MS],
])('a challenge is answered again %s', (_, times, retryAfterMs, waitMs) => {
  expect(answerAgainAt(times, retryAfterMs === null ? null : T0 + retryAfterMs, T0)).toBe(T0 + waitMs);
});

test.each([
  ['soon', 0, 200],
  ['after twice the delay each time', 3_000, 3_200],
  ['at least once a minute', 5 * MINUTE_MS, MINUTE_MS],
  ['and at the end of the ten minutes', 9.5 * MINUTE_MS, 0.5 * MINUTE_MS],
])('a certificate order checks our edge again %s', (_, waitedMs, waitMs) => {
  const now = T0 + waitedMs;
  expect(checkEdgeAgainAt(T0, now)).toBe(now + waitMs);
});

describe('the CAA records decide which challenge methods may be used', () => {
  const ca: Ca = {
    name: 'first',
    directory_url: 'https://first.example/directory',
    caa_issuers: ['first.example'],
    contacts: [],
    eab: null,
    profile: null,
    limits: USUAL_LIMITS,
  };
  const seen = (name: string, ...records: string[]): [string, Lookup[]] => [
    name,
    ['acme.com', 'com'].includes(name) || name.endsWith('.acme.com')
      ? [name, 'acme.com', 'com'].map((at) => caaLookup(at, at === name ? records : []))
      : [],
  ];
  const methods = (...lookups: [string, Lookup[]][]) =>
    allowedMethods(ca, 'https://first.example/acct/1', EDGE_METHODS, new Map(lookups));

  it('without a CAA record, both methods may be used, the preferred method first', () => {
    expect(methods(seen('acme.com'))).toEqual({ methods: ['http-01', 'tls-alpn-01'] });
  });

  it('only the methods that the records of every name allow may be used', () => {
    const tlsAlone = seen('www.acme.com', '0 issue "first.example; validationmethods=tls-alpn-01"');
    expect(methods(seen('acme.com'), tlsAlone)).toEqual({ methods: ['tls-alpn-01'] });
  });

  it('no method may be used if a record forbids the authority, and the result names this record', () => {
    const refused = methods(seen('acme.com'), seen('www.acme.com', '0 issue "other.example"'));
    expect(refused).toMatchObject({
      refused: 'www.acme.com',
      verdict: { code: 'caa_forbids', at: 'www.acme.com', found: '0 issue "other.example"' },
    });
  });

  function caaLookup(name: string, records: string[]): Lookup {
    return {
      server: '192.0.2.1',
      name,
      type: 'CAA',
      outcome: records.length > 0 ? 'answer' : 'nodata',
      failure: null,
      ede: [],
      records: records.map((value) => ({ name, type: 'CAA', value, ttl_s: 60 })),
      negative_ttl_s: null,
      response_ms: 1,
    };
  }
});

test.each(Object.entries(KNOWN_CAS))(
  'the authority %s has a directory URL and CAA names',
  (_, { directory_url, caa_issuers }) => {
    expect(new URL(directory_url).protocol).toBe('https:');
    expect(caa_issuers.length).toBeGreaterThan(0);
    expect(caa_issuers.join()).toBe(caa_issuers.join().toLowerCase());
  },
);
