import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A Node program in its own terminal, which `script` of util-linux creates. */
export interface TerminalProcess {
  /**
   * Returns the time in milliseconds from the start until the output matches. @throws Error if the program ends before the output matches.
   */
  drawn(pattern: RegExp): Promise<number>;
  /** Presses a key. @returns the time in milliseconds until the output matches. */
  press(key: string, pattern: RegExp): Promise<number>;
  /** Returns the program's resident memory. */
  memoryMb(): number;
  /** Presses a key that ends the program. */
  leave(key: string): Promise<void>;
}

const PROGRAM = '/usr/bin/script';

/** The program gets its own home folder. So the bench neither reads nor changes the user's emulator, keys or cache. */
const home = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-view-'));
const running = new Set<ChildProcessWithoutNullStreams>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

export function startInTerminal(
  args: readonly string[],
  extra: NodeJS.ProcessEnv = {},
  [columns, rows]: readonly number[] = [80, 24],
): TerminalProcess {
  const command = [`stty cols ${columns} rows ${rows}; exec`, process.execPath, ...args].join(' ');
  const startedAt = performance.now();
  const child = spawn(PROGRAM, ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', SHELL: '/bin/sh', ...extra },
  });
  running.add(child);
  const ended = once(child, 'close').finally(() => running.delete(child));
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    drawn += text;
  });

  return {
    async drawn(pattern) {
      while (!pattern.test(drawn)) await nextDrawing(child, ended, () => drawn);
      return performance.now() - startedAt;
    },
    async press(key, pattern) {
      const before = drawn.length;
      const pressedAt = performance.now();
      child.stdin.write(key);
      while (!pattern.test(drawn.slice(before))) await nextDrawing(child, ended, () => drawn);
      return performance.now() - pressedAt;
    },
    memoryMb() {
      const [pid = ''] = execFileSync('/usr/bin/pgrep', ['-P', String(child.pid)], {
        encoding: 'utf8',
      }).split('\n');
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    },
    async leave(key) {
      child.stdin.write(key);
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(late);
    },
  };
}

async function nextDrawing(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<unknown>,
  drawn: () => string,
): Promise<void> {
  const next = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
  if (next === null) throw new Error(`it ended: ${drawn()}`);
}
