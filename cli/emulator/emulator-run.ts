import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { execa } from 'execa';
import { CliError } from '../runtime/cli-error.ts';
import { openLifeline } from './emulator-lifeline.ts';

interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Receives the function that forwards a signal, as soon as the command has started. */
  onStart(send: (signal: NodeJS.Signals) => void): void;
}

/** The exit codes that a shell uses for a command that does not exist, and for a file that cannot be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a command with this process's stdin, stdout and stderr, without a shell. Neither the command nor its descendants outlive this
 * process, even if it is killed.
 * @returns the command's exit code; 128 + n if signal n ended the command, 127 if the command does not exist, 126 if it cannot be run.
 */
export async function runCommand(
  command: readonly string[],
  { cwd, env, onStart }: RunOptions,
): Promise<number> {
  const [file = '', ...args] = command;
  const atTerminal = [0, 1, 2].some(isatty);
  const lifeline = openLifeline();
  const child = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    // Never kill the command after a delay: it may need time to clean up.
    forceKillAfterDelay: false,
    // The command gets its own process group, so that the watcher can find the descendants. On a terminal, it stays in our group, because a
    // background group cannot read keys.
    detached: !atTerminal && process.platform !== 'win32',
    windowsHide: false,
  });
  if (child.pid !== undefined) lifeline.hold(child.pid);
  onStart(signalSender(atTerminal, lifeline.send));
  const { exitCode, signal, cause } = await child;
  await lifeline.release();
  if (exitCode !== undefined) return exitCode;
  if (signal !== undefined) return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return refuse(file, NOT_FOUND, 'was not found');
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOEXEC') {
    return refuse(file, NOT_EXECUTABLE, 'cannot be run');
  }
  throw new CliError('unexpected', `Cannot start ${file}.`, { fix: 'Check the command.', cause });
}

/**
 * Returns a function that forwards signals to the command. On a terminal, it does not forward the first Ctrl-C, because the terminal also
 * sends the signal to the command. A second Ctrl-C kills the command.
 */
function signalSender(
  atTerminal: boolean,
  send: (signal: NodeJS.Signals) => void,
): (signal: NodeJS.Signals) => void {
  let interrupts = 0;
  return (signal) => {
    if (signal === 'SIGINT') interrupts++;
    if (interrupts > 1) send('SIGKILL');
    else if (!(atTerminal && signal === 'SIGINT')) send(signal);
  };
}

function refuse(file: string, code: number, reason: string): number {
  process.stderr.write(`nameplate: ${JSON.stringify(file)} ${reason}.\n`);
  return code;
}
