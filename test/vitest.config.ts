import { defineConfig } from 'vitest/config';

/** `vitest run` takes the tests, `vitest run --mode soak` the long ones; benches are programs of their own. */
export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'soak' ? 'test/soak/**/*.test.{ts,tsx}' : 'test/**/*.test.{ts,tsx}'],
    exclude: mode === 'soak' ? [] : ['test/soak/**', 'test/bench/**'],
    // Forks, because tests change process.env and end processes; the tests wait more than they compute.
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
