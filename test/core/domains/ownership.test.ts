import { expect, test } from 'vitest';
import { viewOutcome } from '../../../shared/core/dns/dns-confirmation.ts';
import { isProofAbsent, winnerOf } from '../../../shared/core/domains/ownership.ts';
import { APEX, type SaidView, surveyOf, V4 } from '../dns/survey-builder.ts';
import * as oracle from './ownership-oracle.ts';
import { caseOf, STATES, type State, stateOf } from './ownership-states.ts';

/** Only every n-th state is tested. A prime n makes the tested states cover every pair of values. */
const STRIDE = Number(process.env['OWNERSHIP_STRIDE'] ?? 997);

test(`for every state of DNS and of the domains, the hostname goes to the domain that the rules name`, () => {
  const wrong: unknown[] = [];
  let tested = 0;
  for (let number = 0; number < STATES; number += STRIDE) {
    const state = stateOf(number);
    tested += 1;
    const found = judged(state);
    const expected = { winner: oracle.winnerOf(state), holder: oracle.liveOutcome(state) };
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ ...state, found, expected });
    if (wrong.length >= 3) break;
  }
  expect(wrong).toEqual([]);
  expect(tested).toBe(Math.ceil(STATES / STRIDE));
  if (STRIDE < 100) console.log(`${tested} states`);
});

test('a resolver that blocks a name does not prove that the TXT record of its owner is gone', () => {
  const absent = { a: [`A ${V4}`] };
  const isGone = (...resolvers: SaidView[]) =>
    isProofAbsent(surveyOf(APEX, { zone: [absent], resolvers }), APEX);
  expect(isGone(absent, absent, absent)).toBe(true);
  expect(isGone(absent, absent, { ...absent, txt: 'blocked' })).toBe(false);
});

function judged(state: State) {
  const { claimants, holder, survey } = caseOf(state);
  const nameOf = (claimant: unknown) => (claimant === null ? null : claimant === claimants[0] ? 'A' : 'B');
  const winner = winnerOf(claimants, holder, survey);
  expect(winnerOf([...claimants].reverse(), holder, survey)).toBe(winner);
  const isLive = ['issuing', 'active', 'cert_failed'].includes(holder?.domain.status ?? '');
  const [view] = survey.resolvers;
  const outcome = isLive && holder && view ? viewOutcome(view, holder.expectation) : null;
  return { winner: nameOf(winner), holder: outcome };
}
