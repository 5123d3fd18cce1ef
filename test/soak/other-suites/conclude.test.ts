import { beforeEach, expect, test, vi } from 'vitest';
import { conclude } from './conclude.ts';

const EXCUSES = { style: 'It is a matter of taste.' };

beforeEach(() => {
  vi.spyOn(console, 'log').mockReturnValue();
});

test('a finding of another test suite that no excuse covers fails the suite', () => {
  expect(() => conclude('a suite', '2 checks', ['style', 'fault'], EXCUSES)).toThrow(
    'findings without an excuse',
  );
});

test('an excuse for a finding that no longer occurs fails the suite', () => {
  expect(() => conclude('a suite', '2 checks', [], EXCUSES)).toThrow('excuses without a finding');
});

test('a test suite passes if it finds only excused findings, however often', () => {
  conclude('a suite', '2 checks', ['style', 'style'], EXCUSES);
});
