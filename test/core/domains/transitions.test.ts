import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { STATUSES, type Status } from '../../../shared/core/domains/status.ts';
import { findTransition } from '../../../shared/core/domains/transition.ts';
import { TRANSITIONS, TRIGGERS, type Transition } from '../../../shared/core/domains/transitions.ts';
import { EVENT_TYPES } from '../../../shared/core/webhooks/event.ts';
import { CERTIFICATE, T0 } from './sample-domain.ts';

/** A row of a table in the documentation, written here independently of the code. */
interface Fact {
  source: string;
  from: string;
  on: string;
  to: string;
  event: string | null;
}

const fact = (source: string, from: string, on: string, to: string, event: string | null = null): Fact => ({
  source,
  from,
  on,
  to,
  event,
});

const EXISTING = 'pending_dns verifying issuing active dns_broken cert_failed expired held';
const NOT_HELD = 'pending_dns verifying issuing active dns_broken cert_failed expired';

/**
 * The table of `docs/api.md#states-and-transitions`. Row 3 has no transition: a create of a hostname that the app already has does not
 * change the domain. Row 13 names no event. The event is `domain.dns_broken`, because `docs/api.md#webhooks` requires an event for every
 * state change.
 */
const SECTION_3: readonly Fact[] = [
  fact('3.1', '-', 'create', 'pending_dns', 'domain.created'),
  fact('3.2', 'expired', 'recreate', 'pending_dns'),
  fact('3.4', 'pending_dns verifying', 'dns_confirmed', 'issuing', 'domain.verified'),
  fact('3.5', 'issuing', 'certificate_issued', 'active', 'domain.active'),
  fact('3.6', 'active cert_failed issuing', 'dns_gone', 'dns_broken', 'domain.dns_broken'),
  fact('3.7', 'issuing', 'issuance_failed', 'cert_failed', 'domain.cert_failed'),
  fact('3.7', 'active', 'renewal_failed', 'cert_failed', 'domain.cert_failed'),
  fact('3.8', 'active', 'certificate_renewed', 'active', 'domain.certificate_renewed'),
  fact('3.9', EXISTING, 'delete', 'deleted', 'domain.deleted'),
  fact('3.10', NOT_HELD, 'hold', 'held', 'domain.held'),
  fact('3.11', 'held', 'release', 'previous', 'domain.released'),
  fact('3.12', 'cert_failed', 'retry_issuance', 'issuing'),
  fact('3.13', 'active cert_failed issuing', 'whitelabel_grace_passed', 'dns_broken', 'domain.dns_broken'),
];

/** Further transitions, for changes that `docs/api.md#states-and-transitions` calls "not shown". */
const DECIDED: readonly Fact[] = [
  fact('behaviour', 'pending_dns', 'dns_seen', 'verifying'),
  fact('behaviour', 'verifying', 'dns_unseen', 'pending_dns'),
  fact('behaviour', 'pending_dns verifying', 'window_passed', 'expired'),
  fact('behaviour', 'cert_failed', 'certificate_issued', 'active', 'domain.active'),
  fact('behaviour', 'dns_broken', 'dns_confirmed, certificate_valid', 'active', 'domain.active'),
  fact('behaviour', 'dns_broken', 'dns_confirmed, certificate_invalid', 'issuing', 'domain.verified'),
  fact('behaviour', 'active', 'certificate_lapsed, certificate_invalid', 'issuing'),
];

/** Returns one line for each status from which a row starts. */
function linesOf({ source, from, on, to, event }: Fact): string[] {
  return from.split(' ').map((status) => `${source}: ${status} + ${on} = ${to}, ${event}`);
}

function factOf({ source, from, on, when, to, emits }: Transition): Fact {
  return {
    source: source.replace(/^docs\/domains.md: .+/, 'behaviour'),
    from: from.map((status) => status ?? '-').join(' '),
    on: when === undefined ? on : `${on}, ${when}`,
    to,
    event: emits,
  };
}

describe('the transition table matches the documentation', () => {
  test.each(Array.from({ length: 13 }, (_, index) => `3.${index + 1}`))(
    'has the documented row %s',
    (source) => {
      const expected = SECTION_3.filter((row) => row.source === source).flatMap(linesOf);
      const found = TRANSITIONS.filter((row) => row.source === source).flatMap((row) => linesOf(factOf(row)));
      expect(found.toSorted()).toEqual(expected.toSorted());
      expect(expected.length === 0).toBe(source === '3.3');
    },
  );

  test('has only the rows of `docs/api.md#states-and-transitions` and rows decided later', () => {
    const found = TRANSITIONS.flatMap((row) => linesOf(factOf(row)));
    expect(found.toSorted()).toEqual([...SECTION_3, ...DECIDED].flatMap(linesOf).toSorted());
  });

  test('names the source of every row: a row of `docs/api.md#states-and-transitions` or a later decision', () => {
    for (const { source } of TRANSITIONS)
      expect(source).toMatch(/^(3\.([1-9]|1[0-3])|docs\/domains\.md: \S.+)$/);
    const decided = TRANSITIONS.map(({ source }) => source).filter((source) => source.startsWith('docs/'));
    expect(new Set(decided).size).toBe(decided.length);
  });

  test('uses every trigger, and emits every event of `docs/api.md#webhooks`', () => {
    expect(new Set(TRANSITIONS.map(({ on }) => on))).toEqual(new Set(TRIGGERS));
    const emitted = TRANSITIONS.flatMap(({ emits }) => emits ?? []);
    expect(new Set(emitted)).toEqual(new Set(EVENT_TYPES));
  });

  test('is unambiguous: at most one row matches a status, a trigger and a certificate', () => {
    const keys = TRANSITIONS.flatMap(({ from, on, when }) =>
      from.flatMap((status) =>
        (when === undefined ? ['certificate_valid', 'certificate_invalid'] : [when]).map(
          (condition) => `${status} ${on} ${condition}`,
        ),
      ),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the webhook guide has a table of status changes without an event', () => {
  const guide = readFileSync(new URL('../../../shared/docs/webhooks.md', import.meta.url), 'utf8');
  const section = guide.split('## Changes without an event')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \|.*\| (.*) \|$/gm)].map(
    ([, from = '', to = '', next = '']) => ({ from, to, next }),
  );

  test('the table lists exactly the status changes without an event', () => {
    const silent = TRANSITIONS.filter(({ emits }) => emits === null).flatMap(({ from, to }) =>
      from.filter((status) => status !== to).map((status) => `${status} > ${to}`),
    );
    expect(rows.map(({ from, to }) => `${from} > ${to}`).toSorted()).toEqual(silent.toSorted());
  });

  test("the table names the events that can come next without a person's action", () => {
    for (const { from, to, next } of rows) {
      const named = next.match(/domain\.\w+/g) ?? [];
      expect({ from, to, next: named.toSorted() }).toEqual({ from, to, next: eventsAfter(to).toSorted() });
      expect(next.startsWith('None by itself')).toBe(named.length === 0);
    }
  });
});

/** Triggers that a person can cause in every status, or that add an expired domain again. */
const BY_PERSONS: readonly string[] = ['delete', 'hold', 'recreate'];

/** Returns the types of the events that can come next for a domain in this status without a person's action. */
function eventsAfter(status: string): string[] {
  const types = new Set<string>();
  const reached = new Set([status]);
  for (const each of reached) {
    for (const { on, from, to, emits } of TRANSITIONS) {
      if (BY_PERSONS.includes(on) || !from.some((one) => one === each)) continue;
      if (emits === null) reached.add(to);
      else types.add(emits);
    }
  }
  return [...types];
}

const CODES: Readonly<Record<string, Status | 'previous' | null>> = {
  '-': null,
  P: 'pending_dns',
  V: 'verifying',
  I: 'issuing',
  A: 'active',
  B: 'dns_broken',
  C: 'cert_failed',
  E: 'expired',
  H: 'held',
  D: 'deleted',
  '<': 'previous',
};

/**
 * Each cell is the status after the trigger of its line in the status of its column. `.` means refused. In `A|I`, A is the result with a
 * valid certificate, and I without.
 */
const MATRIX = `
  trigger                 - P V I A B   C E H D
  create                  P . . . . .   . . . .
  recreate                . . . . . .   . P . .
  dns_seen                . V . . . .   . . . .
  dns_unseen              . . P . . .   . . . .
  dns_confirmed           . I I . . A|I . . . .
  dns_gone                . . . B B .   B . . .
  whitelabel_grace_passed . . . B B .   B . . .
  window_passed           . E E . . .   . . . .
  certificate_issued      . . . A . .   A . . .
  issuance_failed         . . . C . .   . . . .
  certificate_renewed     . . . . A .   . . . .
  renewal_failed          . . . . C .   . . . .
  certificate_lapsed      . . . . .|I . . . . .
  retry_issuance          . . . . . .   I . . .
  hold                    . H H H H H   H H . .
  release                 . . . . . .   . . < .
  delete                  . D D D D D   D D D .
`;

describe('the matrix of triggers and statuses equals the transition table', () => {
  const [header = [], ...rows] = MATRIX.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const statuses = header.slice(1).map((code) => CODES[code]);

  test('has a column for every status and a row for every trigger', () => {
    expect(statuses).toEqual([null, ...STATUSES]);
    expect(rows.map(([trigger]) => trigger).toSorted()).toEqual([...TRIGGERS].toSorted());
    for (const row of rows) expect(row).toHaveLength(header.length);
  });

  describe.each(['certificate_valid', 'certificate_invalid'])(
    'the matrix applies to a domain with %s',
    (condition) => {
      const valid = condition === 'certificate_valid';

      test.each(TRIGGERS)('the trigger %s has the same next status as in the table', (trigger) => {
        const [, ...cells] = rows.find(([name]) => name === trigger) ?? [];
        const found = statuses.map((status) => {
          const domain = status == null ? null : { status: status as Status, certificate: CERTIFICATE };
          return findTransition(domain, trigger, valid ? T0 : CERTIFICATE.not_after)?.to;
        });
        const expected = cells.map((cell) => {
          const [withValid = '', without = withValid] = cell.split('|');
          return CODES[valid ? withValid : without] ?? undefined;
        });
        expect(found).toEqual(expected);
      });
    },
  );
});

test('a create for a hostname that the app already has changes nothing, unless the domain has expired (row 3)', () => {
  for (const status of STATUSES) {
    const domain = { status, certificate: null };
    expect(findTransition(domain, 'create', T0), status).toBeNull();
    expect(findTransition(domain, 'recreate', T0) !== null, status).toBe(status === 'expired');
  }
});

test('no trigger changes the status of a deleted domain', () => {
  expect(TRANSITIONS.filter(({ from }) => from.includes('deleted'))).toEqual([]);
});
