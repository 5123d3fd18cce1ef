import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../service/config.ts';

const PLAN = { included: 1, limit: 2, per_domain_origin: true, whitelabel: true, live_keys: true };

/** Returns the problem that `readConfig` reports about the setting that names this file. */
function problemOf(file: string): string | undefined {
  try {
    readConfig({ NAMEPLATE_PLANS_FILE: file });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems[0]?.problem;
    throw error;
  }
  return undefined;
}

function plansFile(text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'plans-')), 'plans.json');
  writeFileSync(file, text);
  return file;
}

test('a file in the settings replaces the plan table', () => {
  const plans = { free: { ...PLAN, live_keys: false }, growth: PLAN, scale: PLAN, enterprise: PLAN };
  const config = readConfig({ NAMEPLATE_PLANS_FILE: plansFile(JSON.stringify(plans)) });
  expect(config.settings.plans).toEqual(plans);
  expect(readConfig({}).settings.plans.growth.limit).toBe(100);
});

test('the service reports every error in a plan file at once', () => {
  const { whitelabel: _, ...unfinished } = PLAN;
  const plans = {
    free: { ...PLAN, included: -1, limit: 'many' },
    growth: { ...PLAN, included: 5, limit: 4, seats: 3 },
    scale: unfinished,
    gold: PLAN,
  };
  const file = plansFile(JSON.stringify(plans));
  const problem = problemOf(file) ?? '';
  expect(problem.replace('names a file with errors: ', '').split('; ').toSorted()).toEqual([
    'enterprise is required',
    'free.included must be at least 0',
    'free.limit must be a number',
    'growth must not have seats',
    'growth.limit must not be less than included',
    'it must not have gold',
    'scale.whitelabel is required',
  ]);
});

test.each([
  ['{', 'names a file that is not JSON'],
  ['[]', 'it must be a JSON object'],
])('the service reports a plan file with %s', (text, told) => {
  expect(problemOf(plansFile(text))).toContain(told);
});

test('the service reports a missing plan file', () => {
  expect(problemOf('/nowhere/plans.json')).toContain('names a file that cannot be read');
});
