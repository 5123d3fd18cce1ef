import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from '../bin-process.ts';

test('emulator open prints the address at which the dashboard is served', async () => {
  const env = emptyHome();
  await using emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral'], env);
  await emulator.untilStdout(/ready at/);
  const { exit, stdout } = await runBin(['emulator', 'open', '--json'], env);
  expect(exit).toBe(0);
  const { dashboard_url } = JSON.parse(stdout);
  expect(dashboard_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard$/);
  const answer = await fetch(dashboard_url);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('without an emulator, emulator open prints an error and opens nothing', async () => {
  const { exit, stdout } = await runBin(['emulator', 'open', '--json'], emptyHome());
  expect(exit).toBe(8);
  expect(JSON.parse(stdout).error.code).toBe('emulator_not_running');
});
