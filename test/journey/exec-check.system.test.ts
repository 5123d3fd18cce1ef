import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome, startBin } from '../cli/bin-process.ts';

const CHECK = path.resolve(import.meta.dirname, '../fixtures/check.mjs');

// Runs once in real time, in which a test domain becomes active after ten seconds, and once with a clock that jumps.
test.each([['real'], ['auto']])(
  'a program under emulator exec sees a domain become active, three signed webhooks and a signed visit, with the clock %s',
  async (clock) => {
    const argv = ['emulator', 'exec', '--ephemeral', '--clock', clock, '--', process.execPath, CHECK];
    await using bin = startBin(argv, emptyHome());
    const exit = await bin.ended;
    expect({ exit, stderr: bin.stderr() }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(bin.stdout())).toMatchObject({
      took_s: expect.closeTo(10, 0),
      events: ['domain.created', 'domain.verified', 'domain.active'],
      visited: 'careers.acme.com',
      verified: true,
    });
  },
);
