import { defineConfig } from 'vitest/config';

/** `vitest run` runs the tests, `vitest run --mode soak` the long ones. Benches are separate programs. */
export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'soak' ? 'test/soak/**/*.test.{ts,tsx}' : 'test/**/*.test.{ts,tsx}'],
    exclude: mode === 'soak' ? [] : ['test/soak/**', 'test/bench/**'],
    // Uses forks, because tests change process.env and end processes. The tests wait more than they compute.
    pool: 'forks',
    maxWorkers: '100%',
    // Starts no Postgres until a test asks for one.
    globalSetup: ['test/fixtures/postgres/postgres-server.ts'],
    testTimeout: mode === 'soak' ? 600_000 : 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
}));
