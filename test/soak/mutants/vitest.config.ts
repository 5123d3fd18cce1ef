import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { MUTANTS } from './ownership-mutants.ts';

const mutant = MUTANTS[Number(process.env['MUTANT'])];

/** Runs tests on the code without one rule: the one with the number in `MUTANT`. */
export default defineConfig({
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        if (mutant === undefined || path.relative(process.cwd(), id) !== mutant.file) return undefined;
        if (!code.includes(mutant.code)) throw new Error(`${mutant.file} no longer contains: ${mutant.code}`);
        return code.replace(mutant.code, mutant.becomes);
      },
    },
  ],
  test: {
    include: ['test/core/domains/ownership.test.ts', 'test/operations/dns/*.test.ts'],
    // The cache of transformed files does not know which rule is missing.
    fsModuleCache: false,
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
