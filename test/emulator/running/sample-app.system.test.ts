import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyHome, runBin } from '../../cli/bin-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const sample = (file: string) => path.join(root, 'test/fixtures/sample-app', file);

test("the sample app runs its whole life cycle under emulator exec, with Node's test runner", async () => {
  const command = [process.execPath, '--test', '--test-reporter=tap', sample('app.test.mjs')];
  const { exit, stdout, stderr } = await runBin(
    ['emulator', 'exec', '--clock', 'auto', '--', ...command],
    emptyHome(),
  );
  expect(stdout).toMatch(/# pass 5\n# fail 0\n/);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
});

test('the sample app runs on Vitest, with an emulator in the same process', async () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { VITEST: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--root', sample(''), '--reporter=dot', '--no-color', 'vitest-example.test.mjs'],
    { cwd: root, env },
  );
  expect(stdout).toMatch(/Tests +\d{2} passed \(\d+\)/);
});
