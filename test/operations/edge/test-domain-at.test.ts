import { expect, test } from 'vitest';
import { testDomainAt } from '../../../shared/operations/edge/find-edge-route.ts';
import { testConfig } from '../../service/settings/test-config.ts';

const { settings } = testConfig('', { NAMEPLATE_SANDBOX_ZONE: 'sandbox.example' });
const ID = 'dom_01aryz6s410000000000000000';

test('the hostname of a test domain is its id in the sandbox zone', () => {
  expect(testDomainAt({ settings }, `${ID}.sandbox.example`)).toBe(ID);
  expect(testDomainAt({ settings }, `${ID}.example`)).toBeNull();
});

test.each(['', '..', 'www', 'dom_1', `x.${ID}`, `${ID}0`])(
  'the name "%s" in the sandbox zone is no test domain, so no edge asks the API for it',
  (name) => {
    expect(testDomainAt({ settings }, `${name}.sandbox.example`)).toBeNull();
  },
);
