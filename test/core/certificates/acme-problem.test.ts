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
  return { status: 400, type: null, detail: '', retry_at: null, subproblems: [], ...change };
}

describe('what a problem is to the customer', () => {
  it.each([
    ['caa', 403, 'caa_forbids'],
    ['rateLimited', 429, 'ca_rate_limited'],
    ['connection', 400, 'ca_challenge_failed'],
    ['dns', 400, 'ca_challenge_failed'],
    ['tls', 400, 'ca_challenge_failed'],
    ['incorrectResponse', 403, 'ca_challenge_failed'],
    ['rejectedIdentifier', 400, 'ca_rejected'],
    ['serverInternal', 500, 'ca_unavailable'],
    ['badSignatureAlgorithm', 400, 'ca_unavailable'],
    ['made up', 418, 'ca_unavailable'],
    [null, 503, 'ca_unavailable'],
    [null, 429, 'ca_rate_limited'],
    [null, null, 'ca_unavailable'],
    ['toString', 400, 'ca_unavailable'],
  ])('%s with status %s is %s', (type, status, reason) => {
    expect(problemReason(problem({ type, status }), 'request')).toBe(reason);
  });

  it('unauthorized is about the hostname in a challenge, and about our account elsewhere', () => {
    const unauthorized = problem({ type: 'unauthorized', status: 403 });
    expect(problemReason(unauthorized, 'challenge')).toBe('ca_challenge_failed');
    expect(problemReason(unauthorized, 'request')).toBe('ca_unavailable');
  });

  it('a wrong response to a challenge is about the hostname, whatever step-ca calls it', () => {
    const rejected = problem({ type: 'rejectedIdentifier', status: null });
    expect(problemReason(rejected, 'challenge')).toBe('ca_challenge_failed');
  });

  it('of several it is the first', () => {
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
])('%s with status %s refuses the replacement: %s', (type, status, refuses) => {
  expect(refusesReplacement(problem({ type, status }))).toBe(refuses);
});

test('another authority may issue after a failure of this one, not after one of DNS or of the way to us', () => {
  expect((['ca_unavailable', 'ca_rate_limited', 'ca_rejected'] as const).every(anotherMayIssue)).toBe(true);
  expect((['caa_forbids', 'caa_lookup_failed', 'ca_challenge_failed'] as const).some(anotherMayIssue)).toBe(
    false,
  );
});

describe('of several obstacles', () => {
  const forbidden: Obstacle = { reason: 'caa_forbids', until: null, at: null, found: null };
  const limited: Obstacle = { ...forbidden, reason: 'ca_rate_limited', until: T0 + 2 };
  const away: Obstacle = { ...forbidden, reason: 'ca_unavailable', until: T0 + 1 };

  it('the one that is over the soonest is told', () => {
    expect(leastObstacle([forbidden, limited, away])).toBe(away);
  });

  it('the first is, where none passes', () => {
    expect(leastObstacle([forbidden, { ...forbidden, reason: 'ca_rejected' }])).toBe(forbidden);
  });

  it('a limit is a place in a queue, and the soonest is taken, whatever the others ask for', () => {
    const later: Obstacle = { ...limited, until: T0 + 1_000_000 };
    expect(summarizeObstacles([later, limited, forbidden])).toEqual({ place: limited, failed: false });
    expect(summarizeObstacles([later, limited, away])).toEqual({ place: limited, failed: true });
  });

  it('without a limit there is no queue, and the attempt has failed', () => {
    expect(summarizeObstacles([forbidden, away])).toEqual({ place: null, failed: true });
    expect(summarizeObstacles([])).toEqual({ place: null, failed: true });
  });
});
