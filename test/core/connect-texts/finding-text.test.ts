import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { factsOf, findingText, isShownReason } from '../../../shared/core/connect-texts/finding-text.ts';
import { LANGUAGE_TAGS } from '../../../shared/core/connect-texts/language.ts';
import { makeFinding } from '../../../shared/core/dns/dns-finding.ts';
import { REASON_CODES, type ReasonFacts } from '../../../shared/core/reasons.ts';

const FACTS = {
  name: 'shop [x] {found}',
  type: 'CNAME',
  expected: 'a.b (c) *.d',
  found: '$& old.example. It now holds {expected}',
  wait: 'at most 5 minutes',
};
/** All combinations of known and unknown facts in a finding. */
const COMBINATIONS: ReasonFacts[] = Array.from({ length: 2 ** 5 }, (_, bits) =>
  Object.fromEntries(Object.entries(FACTS).filter((_fact, index) => (bits & (1 << index)) !== 0)),
);

describe.each(REASON_CODES)('a finding of %s can be translated', (code) => {
  test('the facts of the finding can be read from its English hint', () => {
    for (const facts of COMBINATIONS) {
      const finding = makeFinding(code, null, facts);
      const read = factsOf(finding);
      expect(makeFinding(code, null, read).hint, JSON.stringify(facts)).toBe(finding.hint);
    }
  });

  test('every language has a text for the finding, with facts and without facts', () => {
    for (const tag of LANGUAGE_TAGS) {
      const { texts } = languageOf(tag);
      if (!isShownReason(texts.findings, code)) return;
      const known = { name: 'shop', type: 'CNAME', expected: 'a.example', found: 'b.example' };
      for (const facts of [{}, known]) {
        const { title, meaning, hint } = findingText(tag, texts, makeFinding(code, null, facts), 'Acme');
        expect(title + meaning + hint, `${tag}: ${hint}`).not.toMatch(/[{}[\]]|undefined/);
        expect(hint).toMatch(tag === 'ja' ? /。$/ : /\.$/);
        expect(hint).not.toMatch(/ {2}| [,.]|^[,.。]|。。|\.\./);
      }
    }
  });
});

test.each([
  ['at most 300 seconds', 'de', 'höchstens 300 Sekunden'],
  ['at most 1 hours', 'de', 'höchstens 1 Stunde'],
  ['at most 90 minutes', 'ja', '最大90 分'],
  ['2026-03-01T12:30:00.000Z', 'fr', '1 mars 2026, 12:30 UTC'],
  ['2026-03-01T12:30:00.000Z', 'en', 'Mar 1, 2026, 12:30 PM UTC'],
] as const)('a wait of %s is written in the language %s', (wait, tag, words) => {
  const code = wait.startsWith('2026') ? 'ca_rate_limited' : 'dns_propagating';
  const { texts } = languageOf(tag);
  const { hint } = findingText(tag, texts, makeFinding(code, null, { wait }), 'Acme');
  expect(hint.replaceAll(/\s/g, ' ')).toContain(words);
});
