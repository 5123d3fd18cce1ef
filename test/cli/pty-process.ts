import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BIN, COMPILE_CACHE } from './bin-process.ts';
import { emptyFolder } from './run-cli.ts';

/**
 * Runs the built binary on a new terminal. Returns its stdout and stderr together, as the terminal receives them.
 * @param stdin text that the binary reads instead of the terminal's keyboard.
 */
export async function runOnTerminal(
  argv: readonly string[],
  {
    columns,
    env,
    cwd = emptyFolder(),
    stdin,
  }: {
    columns: number;
    env: Record<string, string>;
    cwd?: string;
    stdin?: string | undefined;
  },
): Promise<{ exit: number | null; screen: string }> {
  const words = [process.execPath, BIN, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // The program `script` of util-linux creates the terminal, and exits with the exit code of the command.
  if (stdin !== undefined) writeFileSync(path.join(cwd, 'stdin'), stdin);
  const from = stdin === undefined ? '' : ' < stdin';
  const command = `stty cols ${columns} rows 40; exec ${words.join(' ')}${from}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...COMPILE_CACHE, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  const [exit] = await once(child, 'close');
  return { exit, screen: screen.replaceAll('\r\n', '\n') };
}
