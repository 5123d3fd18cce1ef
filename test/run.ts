import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm test`, `npm run test:all` and `npm run check`. Every step runs, even after one has failed. The last line counts passed and failed
 * tests; a step counts as one test. Arguments go to vitest, as in `npm test -- test/core`. Vitest then also runs the system tests among the
 * named files.
 */
const CHECKS = [
  // Uses one thread, because each thread of the compiler would check the shared types again.
  { name: 'types', command: ['tsc', '--noEmit', '--singleThreaded'] },
  {
    name: "types of the connect page's script",
    command: ['tsc', '--noEmit', '-p', 'shared/connect/browser'],
  },
  { name: 'types of the component', command: ['tsc', '--noEmit', '-p', 'shared/embed/browser'] },
  { name: 'types of the dashboard', command: ['tsc', '--noEmit', '-p', 'shared/dashboard/browser'] },
  { name: "types of the docs' script", command: ['tsc', '--noEmit', '-p', 'shared/docs-site/browser'] },
  { name: 'types of the lab', command: ['tsc', '--noEmit', '-p', 'emulator/lab/browser'] },
  { name: 'lint and format', command: ['biome', 'ci', '--error-on-warnings', '--colors=off'] },
  { name: 'dead code', command: ['knip'] },
];
const LAWS = [
  'test/architecture.test.ts',
  'test/bin/docs/generated-docs.test.ts',
  'test/floors.test.ts',
  'test/house-rules.test.ts',
  'test/prose/prose.test.ts',
  'test/system-tests.test.ts',
];

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const root = path.resolve(import.meta.dirname, '..');
const { values: flags, positionals: selection } = parseArgs({
  options: { 'checks-only': { type: 'boolean' }, all: { type: 'boolean' } },
  allowPositionals: true,
});
const checksOnly = flags['checks-only'] === true;
const failedSteps: string[] = [];
const total: Count = { passed: 0, failed: 0, skipped: 0 };

if (!checksOnly) await step('build', [process.execPath, 'bin/build.ts']);
await Promise.all(CHECKS.map(({ name, command }) => step(name, command)));
const isWhole = flags.all === true || selection.length > 0;
await runVitest(isWhole ? 'all' : 'quick', checksOnly ? LAWS : selection);

if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = failedSteps.length > 0 ? 1 : 0;

/** Runs one check. If it fails, prints its output at the end. */
async function step(name: string, command: string[]): Promise<void> {
  const startedAt = performance.now();
  const { code, output } = await execute(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code !== 0) console.log(`\n${output.trim()}\n`);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  record(name, code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 });
}

/**
 * Runs vitest with its output visible, and counts results from its report. Counts a failure if there is no report or an error outside of
 * tests.
 */
async function runVitest(mode: 'quick' | 'all', files: string[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-test-'));
  const reportFile = path.join(folder, 'report.json');
  const options = [
    '--root',
    '.',
    '--config',
    'test/vitest.config.ts',
    '--mode',
    mode,
    '--reporter=default',
    '--reporter=json',
  ];
  // Makes Vitest print colours into a pipe too.
  if (!process.stdout.isTTY) options.push('--no-color');
  const { code } = await execute(
    ['vitest', 'run', ...options, `--outputFile.json=${reportFile}`, ...files],
    // Shares the compile cache among all workers and all processes that tests start, which load the same modules. This saves a tenth of the
    // run.
    { stdio: 'inherit', env: { NODE_COMPILE_CACHE: path.join(folder, 'compile-cache'), ...process.env } },
  );
  const count = readCount(reportFile);
  rmSync(folder, { recursive: true });
  if (code !== 0 && count.failed === 0) count.failed = 1;
  record('tests', count);
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

function readCount(reportFile: string): Count {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch (error) {
    console.log(`vitest left no report: ${error}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // A test file that could not be loaded has no tests, so this counts the file as a failure.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function record(name: string, count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
  if (count.failed > 0) failedSteps.push(name);
}

function execute(command: string[], options: SpawnOptions): Promise<{ code: number; output: string }> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, ...options });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr?.on('data', (data) => (output += data));
    child.on('error', (error) => resolve({ code: 1, output: `${file}: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
