import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * User and system time of a command and of all that it waited for, in milliseconds: a program that npm installs is often a few lines of
 * JavaScript that start another one. bash tells it to the millisecond, Node tells nothing of its children. What it prints is thrown away.
 * @throws Error when the command fails.
 */
export async function cpuMsOfCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { stderr } = await promisify(execFile)('bash', ['-c', TIMED, 'bash', ...words], {
    env: { ...env, TIMEFORMAT: '%3U %3S' },
    timeout: COMMAND_MS_MAX,
  });
  const [user, system] = stderr.trim().split(' ').map(Number);
  if (user === undefined || system === undefined || !Number.isFinite(user + system))
    throw new Error(`bash told no times: ${stderr}`);
  return (user + system) * 1000;
}

const TIMED = 'time "$@" >/dev/null 2>&1 </dev/null';
const COMMAND_MS_MAX = 60_000;
