import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emptyHome, startBin } from '../bin-process.ts';
import { describeTerminal, openTerminal } from '../events/terminal.ts';
import { emptyFolder } from '../run-cli.ts';
import { registryFiles } from './registered.ts';

test('without a terminal, demo prints its events, and leaves no process or file behind', async () => {
  const env = emptyHome();
  const cwd = emptyFolder();
  await using demo = startBin(['demo', '--json'], env, cwd);
  const [line = '{}'] = await demo.untilStdout(/^\{.*"jobs\.acme\.com".*\}$/m);
  expect(JSON.parse(line)).toMatchObject({ type: 'domain.created' });
  demo.child.kill('SIGINT');
  expect(await demo.ended).toBe(130);
  expect(readdirSync(cwd)).toEqual([]);
  expect(registryFiles(env)).toEqual([]);
});

describeTerminal('demo on a terminal shows the event view', () => {
  test('the event view shows an emulator that only the demo uses, and ends with a summary', async () => {
    const env = emptyHome();
    // The environment names another server, which the demo must not use.
    using terminal = openTerminal({ ...env, NAMEPLATE_BASE_URL: 'http://127.0.0.1:1' });
    terminal.nameplate('demo');
    await terminal.until(/jobs\.acme\.com/);
    // The demo's first screen explains the marks of the rows, why rows wait, and where the dashboard is.
    await terminal.until(/✓ delivered {3}↻ retrying {3}◌ waiting {3}✗ failed {3}· not sent/);
    await terminal.until(/later events of its domain wait\. Press r to redeliver/);
    await terminal.until(/Dashboard: http:\/\/127\.0\.0\.1:\d+\/dashboard/);
    terminal.press('q');
    const screen = await terminal.ended();
    expect(screen).toContain('The demo has ended.');
    expect(screen).toContain('exit=0');
    expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
  });
});
