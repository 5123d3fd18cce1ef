import { defineConfig } from 'vitest/config';

const APART = ['test/soak/**', 'test/bench/**'];

/** The files of each mode. Benches are separate programs. */
const FILES: Record<string, { include: string[]; exclude: string[] }> = {
  quick: { include: ['test/**/*.test.{ts,tsx}'], exclude: ['**/*.system.test.ts', ...APART] },
  all: { include: ['test/**/*.test.{ts,tsx}'], exclude: APART },
  soak: { include: ['test/soak/**/*.test.{ts,tsx}'], exclude: [] },
};

/** `vitest run` runs all tests, `--mode quick` leaves those out that start programs, and `--mode soak` runs the long ones. */
export default defineConfig(({ mode }) => ({
  test: {
    ...(FILES[mode] ?? FILES['all']),
    // Tests run in forks, because they change process.env and end processes. There are many, because tests wait more than they compute.
    pool: 'forks',
    maxWorkers: '100%',
    // Postgres is not started until a test needs it.
    globalSetup: ['test/fixtures/postgres/postgres-server.ts'],
    testTimeout: mode === 'soak' ? 600_000 : 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
}));
