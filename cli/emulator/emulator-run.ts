import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { execa } from 'execa';
import { CliError } from '../runtime/cli-error.ts';
import { openLifeline } from './emulator-lifeline.ts';

interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Hands out the way to pass a signal on, once the command runs. */
  onStart(send: (signal: NodeJS.Signals) => void): void;
}

/** As a shell ends when it cannot find a command, and when it cannot run one. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a command with our own stdin, stdout and stderr, without a shell. Neither it nor what it starts outlives us, even where we are
 * killed.
 * @returns its exit code; 128 + n when signal n ended it, 127 when there is no such command, 126 when it cannot be run.
 */
export async function runCommand(
  command: readonly string[],
  { cwd, env, onStart }: RunOptions,
): Promise<number> {
  const [file = '', ...args] = command;
  const at_terminal = [0, 1, 2].some(isatty);
  const lifeline = openLifeline();
  const child = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    // The command decides when it ends: it may have to clean up.
    forceKillAfterDelay: false,
    // A group of its own, by which everything that it starts is found. At a terminal it would not be the one that reads keys.
    detached: !at_terminal && process.platform !== 'win32',
    windowsHide: false,
  });
  if (child.pid !== undefined) lifeline.hold(child.pid);
  onStart(signalSender(at_terminal, lifeline.send));
  const { exitCode, signal, cause } = await child;
  await lifeline.release();
  if (exitCode !== undefined) return exitCode;
  if (signal !== undefined) return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return refuse(file, NOT_FOUND, 'is not found');
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOEXEC') {
    return refuse(file, NOT_EXECUTABLE, 'cannot be run');
  }
  throw new CliError('unexpected', `${file} does not start.`, { fix: 'Check the command.', cause });
}

/**
 * Passes signals on. A terminal sends Ctrl-C to the command itself, whichever of our streams it is. Whoever asks for it a second time does
 * not want to wait.
 */
function signalSender(
  at_terminal: boolean,
  send: (signal: NodeJS.Signals) => void,
): (signal: NodeJS.Signals) => void {
  let interrupts = 0;
  return (signal) => {
    if (signal === 'SIGINT') interrupts++;
    if (interrupts > 1) send('SIGKILL');
    else if (!(at_terminal && signal === 'SIGINT')) send(signal);
  };
}

function refuse(file: string, code: number, why: string): number {
  process.stderr.write(`nameplate: ${JSON.stringify(file)} ${why}.\n`);
  return code;
}
