import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BIN } from './bin-process.ts';
import { emptyFolder } from './run-cli.ts';

/** The built binary on a terminal of its own: stdout and stderr as they stand on the screen. */
export async function runOnTerminal(
  argv: readonly string[],
  { columns, env }: { columns: number; env: Record<string, string> },
): Promise<{ exit: number | null; screen: string }> {
  const words = [process.execPath, BIN, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  // util-linux's script makes the terminal and ends as the command does.
  const command = `stty cols ${columns} rows 40; exec ${words.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: emptyFolder(),
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  const [exit] = await once(child, 'close');
  return { exit, screen: screen.replaceAll('\r\n', '\n') };
}
