import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const APART = ['test/soak/**', 'test/bench/**'];

/** The test files of each mode. Benches are separate programs. */
const FILES: Record<string, { include: string[]; exclude: string[] }> = {
  quick: { include: ['test/**/*.test.{ts,tsx}'], exclude: ['**/*.system.test.ts', ...APART] },
  all: { include: ['test/**/*.test.{ts,tsx}'], exclude: APART },
  soak: { include: ['test/soak/**/*.test.{ts,tsx}'], exclude: [] },
};

/** The test files that take longest. They start first, so that no worker is still running one of them when the others have ended. */
const SLOWEST = [
  'test/conformance/service.system.test.ts',
  'test/conformance/emulator.test.ts',
  'test/dashboard/provider-faults.test.ts',
  'test/service/database/silent-database.test.ts',
  'test/service/edge/edge-probe.test.ts',
  'test/store/postgres.test.ts',
  'test/service/operator/accounts.test.ts',
  'test/service/database/back-pressure.test.ts',
  'test/journey/receiver-faults.test.ts',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOWEST.some((file) => moduleId.endsWith(file));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** `vitest run` runs all tests. `--mode quick` leaves out the tests that start programs, and `--mode soak` runs the long tests. */
export default defineConfig(({ mode }) => ({
  test: {
    ...(FILES[mode] ?? FILES['all']),
    // Tests run in forks, because they change process.env and end processes. There is one worker more than cores, because tests often wait.
    pool: 'forks',
    maxWorkers: os.availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // Node itself loads the sources, which takes a fifth less CPU time. In Vite's loader, each use of an imported name is a function call.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', new URL('fixtures/load-tsx.ts', import.meta.url).href],
    // In quick mode, files share processes, because one process for each of the many short files would take a fifth of the time. All tests
    // together run with one process for each file, as in CI.
    isolate: mode !== 'quick',
    setupFiles: ['test/fixtures/one-public-root.ts'],
    // The Postgres server starts only when a test needs it.
    globalSetup: ['test/fixtures/postgres/postgres-server.ts', 'test/fixtures/homes.ts'],
    // The limits are far above what any test takes, so that no test fails because of a busy machine. A hook may install a package.
    testTimeout: mode === 'soak' ? 600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    unstubEnvs: true,
  },
}));
