import { describe, expect, it } from 'vitest';
import type { AcmeProblem } from '../../../shared/core/certificates/acme-problem.ts';
import { rateLimitOf } from '../../../shared/core/certificates/ca-rate-limit.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';

const NAMES = ['careers.acme.co.uk', 'www.careers.acme.co.uk'];

function limited(detail: string, change: Partial<AcmeProblem> = {}): AcmeProblem {
  return { status: 429, type: 'rateLimited', detail, retryAt: null, subproblems: [], ...change };
}

describe("the scope of an authority's rate limit is read from its error", () => {
  it.each([
    [
      'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-02-04 15:12:13 UTC: see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-exact-set-of-identifiers',
      'names',
      ['careers.acme.co.uk,www.careers.acme.co.uk'],
    ],
    [
      'Error creating new order :: too many certificates (5) already issued for this exact set of domains in the last 168h0m0s: careers.acme.co.uk, retry after 2024-02-04T15:12:13Z',
      'names',
      ['careers.acme.co.uk,www.careers.acme.co.uk'],
    ],
    [
      'too many certificates (50) already issued for "acme.co.uk" in the last 168h0m0s, retry after 2026-02-04 15:12:13 UTC',
      'domain',
      ['acme.co.uk'],
    ],
    [
      'too many failed authorizations (5) for "www.careers.acme.co.uk" in the last 1h0m0s, retry after 2026-02-04 15:12:13 UTC',
      'hostname',
      ['www.careers.acme.co.uk'],
    ],
    ['Error creating new order :: too many failed authorizations recently: see https://…', 'hostname', NAMES],
    [
      'too many new orders (300) from this account in the last 3h0m0s, retry after 2026-02-04',
      'authority',
      [''],
    ],
    ['Error creating new order :: too many new orders recently: see https://…', 'authority', ['']],
    ['too many new registrations (10) from this IP address in the last 3h0m0s', 'authority', ['']],
    ['too many registrations for this IP: see https://…', 'authority', ['']],
    ['too many currently pending authorizations: see https://…', 'authority', ['']],
    ['Service busy; retry later.', 'authority', ['']],
    [
      "'default@gcp.api.pki.goog' is over quota (30 requests in 60 seconds) for the given ACME resource: challenge. Try again in 12.5s.",
      'authority',
      [''],
    ],
    ['slow down', 'domain', ['acme.co.uk']],
    ['', 'domain', ['acme.co.uk']],
  ])('the error "%s" has the scope %s: %j', (detail, about, subjects) => {
    expect(rateLimitOf(limited(detail), NAMES)).toMatchObject({ about, subjects });
  });

  it('the full name in a subproblem narrows the scope', () => {
    const about = (name: string) =>
      rateLimitOf(
        limited('too many failed authorizations', {
          subproblems: [{ type: 'rateLimited', detail: '', name }],
        }),
        ['acme.com', 'www.acme.com'],
      ).subjects;
    expect(about('www.acme.com')).toEqual(['www.acme.com']);
    expect(about('acme.com')).toEqual(['acme.com']);
    expect(about('notacme.com')).toEqual(['acme.com', 'www.acme.com']);
  });

  it.each([
    ['a load balancer without a problem document', { type: null }],
    ['any 5xx', { status: 503 }],
  ])('the scope is the whole authority for %s', (_, change) => {
    expect(rateLimitOf(limited('status 429', change), NAMES).about).toBe('authority');
  });

  it('the scope is the whole authority if the request was not for an order', () => {
    expect(rateLimitOf(limited('slow down'), []).about).toBe('authority');
    expect(rateLimitOf(limited('too many certificates'), []).about).toBe('authority');
  });
});

it("the wait for an authority's rate limit is at most an hour for the whole authority, and a week for an exact set of names", () => {
  const max = (detail: string) => rateLimitOf(limited(detail), NAMES).maxWaitMs;
  expect(['too many new orders', 'slow down', 'exact set of identifiers'].map(max)).toEqual([
    HOUR_MS,
    DAY_MS,
    7 * DAY_MS,
  ]);
});

it('a rate limit for an exact set of names applies to the same names in any order', () => {
  const set = (names: string[]) => rateLimitOf(limited('exact set of identifiers'), names).subjects;
  expect(set(NAMES)).toEqual(set(NAMES.toReversed()));
});
