import { expect, test } from 'vitest';
import { hostnamePrefix } from '../../shared/dashboard/browser/hostname-prefix.ts';

test.each([
  ['', ''],
  [' Careers.ACME.com ', 'careers.acme.com'],
  ['d22', 'd22'],
  ['10', '10'],
  ['acme.', 'acme.'],
  ['a_b c/d', 'abcd'],
  ['müller.de', 'xn--mller-kva.de'],
  ['MÜLLER', 'xn--mller-kva'],
  ['müller.', 'xn--mller-kva.'],
  ['ü:x', 'x'],
])('the text "%s" finds hostnames that begin with "%s"', (text, prefix) => {
  expect(hostnamePrefix(text)).toBe(prefix);
});
