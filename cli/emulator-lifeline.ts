import { spawn } from 'node:child_process';

/** What ends a command whose `emulator exec` was killed and could not end it: a process of its own, at the other end of a pipe. */
export interface Lifeline {
  /** The command has ended by itself. */
  release(): void;
}

/**
 * The pipe ends with us, whatever ends us, and the command's process is told to end; where it does not, it is ended. It is asked as soon
 * as the pipe ends, so that its id is nobody else's yet.
 */
const WATCHER = `
const pid = Number(process.argv[1]);
const end = (signal) => { try { process.kill(pid, signal); } catch { process.exit(); } };
process.stdin.on('data', () => process.exit());
process.stdin.on('end', () => {
  end('SIGTERM');
  setInterval(() => end(0), 50);
  setTimeout(() => { end('SIGKILL'); process.exit(); }, 3000);
});`;

export function holdLifeline(pid: number): Lifeline {
  const watcher = spawn(process.execPath, ['-e', WATCHER, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own: a Ctrl-C at the terminal is not meant for it.
    detached: true,
    env: {},
    windowsHide: true,
  });
  // Without it the command still ends with us whenever we are asked to end; only a kill -9 would leave it behind.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return { release: () => void watcher.stdin.end('done') };
}
