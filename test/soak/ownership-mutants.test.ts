import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RULES } from './ownership-rules.ts';

/** A folder with a copy of the code. For each rule, the test removes only this rule from the copy. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(path.join(os.tmpdir(), 'nameplate-mutants-'));
  for (const part of ['bin', 'cli', 'emulator', 'service', 'shared', 'test', 'package.json', 'tsconfig.json'])
    cpSync(part, path.join(copy, part), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true }));

const SUITES = ['test/core/domains/ownership.test.ts', 'test/operations/dns'];

test('the test suites of ownership pass with all rules in the code', { timeout: 900_000 }, async () => {
  expect(await runSuites()).toMatchObject({ exitCode: 0 });
});

test.each(RULES)(
  'the test suites of ownership fail without the rule that $rule',
  { timeout: 900_000 },
  async (rule) => {
    const file = path.join(copy, rule.file);
    const whole = readFileSync(file, 'utf8');
    expect(whole).toContain(rule.code);
    writeFileSync(file, whole.replace(rule.code, rule.becomes));
    try {
      const { exitCode, stdout } = await runSuites();
      expect(stdout).toMatch(/\d+ failed/);
      expect(exitCode).toBe(1);
    } finally {
      writeFileSync(file, whole);
    }
  },
);

function runSuites() {
  const vitest = path.resolve('node_modules/.bin/vitest');
  return execa(
    vitest,
    ['run', '--root', '.', '--config', 'test/vitest.config.ts', '--bail', '1', ...SUITES],
    {
      cwd: copy,
      env: { OWNERSHIP_STRIDE: '97' },
      reject: false,
    },
  );
}
