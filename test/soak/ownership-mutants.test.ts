import { execa } from 'execa';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants/ownership-mutants.ts';

const CONFIG = 'test/soak/mutants/vitest.config.ts';

test.each(MUTANTS.map(({ rule }, number) => [rule, number] as const))(
  'the suites of ownership fail without the rule "%s"',
  { timeout: 900_000 },
  async (_, number) => {
    const { exitCode, stdout } = await execa(
      'node_modules/.bin/vitest',
      ['run', '--root', '.', '--config', CONFIG, '--bail', '1'],
      { env: { MUTANT: `${number}`, OWNERSHIP_STRIDE: '97' }, reject: false },
    );
    expect(stdout).toMatch(/\d+ failed/);
    expect(exitCode).toBe(1);
  },
);
