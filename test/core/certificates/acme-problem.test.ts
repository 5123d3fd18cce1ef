import { describe, expect, it, test } from 'vitest';
import {
  type AcmeProblem,
  problemReason,
  refusesReplacement,
} from '../../../shared/core/certificates/acme-problem.ts';
import {
  anotherMayIssue,
  leastObstacle,
  type Obstacle,
  summarizeObstacles,
} from '../../../shared/core/certificates/ca.ts';
import { T0 } from '../domains/sample-domain.ts';

function problem(change: Partial<AcmeProblem>): AcmeProblem {
  return { status: 400, type: null, detail: '', retryAt: null, subproblems: [], ...change };
}

describe('a problem of an ACME server becomes a status reason', () => {
  it.each([
    ['caa', 403, 'caa_forbids'],
    ['rateLimited', 429, 'ca_rate_limited'],
    ['connection', 400, 'ca_challenge_failed'],
    ['dns', 400, 'ca_challenge_failed'],
    ['tls', 400, 'ca_challenge_failed'],
    ['incorrectResponse', 403, 'ca_challenge_failed'],
    ['rejectedIdentifier', 400, 'ca_rejected'],
    ['serverInternal', 500, 'ca_unavailable'],
    ['badSignatureAlgorithm', 400, 'ca_refused'],
    ['badNonce', 400, 'ca_unavailable'],
    ['externalAccountRequired', 403, 'ca_refused'],
    ['userActionRequired', 403, 'ca_refused'],
    ['malformed', 404, 'ca_unavailable'],
    [null, 403, 'ca_refused'],
    ['made up', 418, 'ca_refused'],
    [null, 503, 'ca_unavailable'],
    [null, 429, 'ca_rate_limited'],
    [null, null, 'ca_unavailable'],
    ['toString', 400, 'ca_refused'],
  ])('the problem %s with status %s becomes %s', (type, status, reason) => {
    expect(problemReason(problem({ type, status }), 'request')).toBe(reason);
  });

  it('the reason blames the hostname for `unauthorized` in a challenge, and our account anywhere else', () => {
    const unauthorized = problem({ type: 'unauthorized', status: 403 });
    expect(problemReason(unauthorized, 'challenge')).toBe('ca_challenge_failed');
    expect(problemReason(unauthorized, 'request')).toBe('ca_refused');
  });

  it('the reason blames the hostname for `malformed` only in a new order', () => {
    const malformed = problem({ type: 'malformed', status: 400 });
    expect(problemReason(malformed, 'order')).toBe('ca_rejected');
    expect(problemReason(malformed, 'request')).toBe('ca_refused');
  });

  it('the reason asks the operator to act if the authority has paused the hostname', () => {
    const detail =
      'Your account is temporarily prevented from requesting certificates for careers.acme.com. Please visit: https://ca.example/unpause';
    expect(problemReason(problem({ type: 'rateLimited', status: 429, detail }), 'order')).toBe('ca_refused');
  });

  it('the reason blames the hostname for a wrong response to a challenge, even under the name that step-ca uses', () => {
    const rejected = problem({ type: 'rejectedIdentifier', status: null });
    expect(problemReason(rejected, 'challenge')).toBe('ca_challenge_failed');
  });

  it('the first problem decides the reason if there are several', () => {
    const several = problem({
      type: 'compound',
      subproblems: [
        { type: 'caa', detail: '', name: 'www.acme.com' },
        { type: 'connection', detail: '', name: 'acme.com' },
      ],
    });
    expect(problemReason(several, 'request')).toBe('caa_forbids');
    expect(problemReason(problem({ type: 'compound' }), 'request')).toBe('ca_rejected');
  });
});

test.each([
  ['alreadyReplaced', 409, true],
  ['malformed', 400, true],
  [null, 404, true],
  ['rateLimited', 429, false],
  ['rejectedIdentifier', 400, false],
  ['serverInternal', 500, false],
  [null, null, false],
])(
  'an ACME problem %s with status %s means that the authority refused only the field `replaces`: %s',
  (type, status, refuses) => {
    expect(refusesReplacement(problem({ type, status }))).toBe(refuses);
  },
);

test('after a failure, another authority may succeed, but not after a failure of DNS or of our edge', () => {
  expect(
    (['ca_unavailable', 'ca_refused', 'ca_rate_limited', 'ca_rejected'] as const).every(anotherMayIssue),
  ).toBe(true);
  expect((['caa_forbids', 'caa_lookup_failed', 'ca_challenge_failed'] as const).some(anotherMayIssue)).toBe(
    false,
  );
});

describe('several failures of one attempt for a certificate are summarised', () => {
  const forbidden: Obstacle = { reason: 'caa_forbids', until: null, at: null, found: null };
  const limited: Obstacle = { ...forbidden, reason: 'ca_rate_limited', until: T0 + 2 };
  const away: Obstacle = { ...forbidden, reason: 'ca_unavailable', until: T0 + 1 };

  it('the failure that ends soonest is reported', () => {
    expect(leastObstacle([forbidden, limited, away])).toBe(away);
  });

  it('the first failure is reported if none ends by itself', () => {
    expect(leastObstacle([forbidden, { ...forbidden, reason: 'ca_rejected' }])).toBe(forbidden);
  });

  it('the next attempt comes when the first of several rate limits ends', () => {
    const later: Obstacle = { ...limited, until: T0 + 1_000_000 };
    expect(summarizeObstacles([later, limited, forbidden])).toEqual({ place: limited, failed: false });
    expect(summarizeObstacles([later, limited, away])).toEqual({ place: limited, failed: true });
  });

  it('the attempt has failed if none of the failures is a rate limit', () => {
    expect(summarizeObstacles([forbidden, away])).toEqual({ place: null, failed: true });
    expect(summarizeObstacles([])).toEqual({ place: null, failed: true });
  });
});
