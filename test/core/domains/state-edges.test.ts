import { expect, test } from 'vitest';
import { targetOf } from '../../../shared/core/domains/state-edges.ts';

test('the trigger release returns to the status before the hold', () => {
  expect(targetOf('release', 'held', 'active', false)).toBe('active');
});

test('the target of a trigger can depend on whether the domain has a valid certificate', () => {
  expect(targetOf('dns_confirmed', 'dns_broken', null, true)).toBe('active');
  expect(targetOf('dns_confirmed', 'dns_broken', null, false)).toBe('issuing');
});
