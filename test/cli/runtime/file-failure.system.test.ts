import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fileFailure } from '../../../cli/runtime/error-presenter.ts';
import { startEmulator } from '../../../emulator/start.ts';
import { BIN, emptyHome, runBin } from '../bin-process.ts';
import { emptyFolder } from '../run-cli.ts';

test('emulator export suggests creating the folder if it is missing', async () => {
  await using emulator = await startEmulator();
  const file = path.join(emptyFolder(), 'missing', 'state.json');
  const argv = ['emulator', 'export', file, '--base-url', emulator.url];
  const { exit, stderr } = await runBin(argv, emptyHome());
  expect(exit).toBe(1);
  expect(stderr).toContain(`Cannot open ${file}: the file or folder does not exist. (file_error)`);
  expect(stderr).toContain('Check the path, or create its folder first.');
  expect(stderr).not.toContain('report it');
});

test.runIf(existsSync('/dev/full'))('a full disk on stdout is reported without a stack trace', async () => {
  await using emulator = await startEmulator();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [BIN, 'emulator', 'export', '--base-url', emulator.url], {
    env: { PATH: process.env.PATH ?? '', ...emptyHome() },
    stdio: ['ignore', full, 'pipe'],
  });
  const ended = once(child, 'close');
  const stderr = child.stderr === null ? '' : await text(child.stderr);
  const [exit] = await ended;
  closeSync(full);
  expect(exit).toBe(1);
  expect(stderr).toContain('Cannot write the output: no space is left on the device. (file_error)');
  expect(stderr).not.toMatch(/report it|^\s+at /m);
});

test('fileFailure returns null for an error that is not about a file or the output', () => {
  const socket = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
  for (const error of [new Error('x'), socket, null, { code: 'ENOSPC', syscall: 'write' }]) {
    expect(fileFailure(error)).toBeNull();
  }
});
