import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Returns user and system time of a command and its children, in milliseconds. Runs the command in bash, because a program from npm often
 * starts another one, and Node does not report the times of children. Discards the command's output. @throws Error if the command fails.
 */
export async function cpuMsOfCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { stderr } = await promisify(execFile)('bash', ['-c', TIMED, 'bash', ...words], {
    env: { ...env, TIMEFORMAT: '%3U %3S' },
    timeout: COMMAND_MS_MAX,
  });
  const [user, system] = stderr.trim().split(' ').map(Number);
  if (user === undefined || system === undefined || !Number.isFinite(user + system))
    throw new Error(`bash reported no times: ${stderr}`);
  return (user + system) * 1000;
}

const TIMED = 'time "$@" >/dev/null 2>&1 </dev/null';
const COMMAND_MS_MAX = 60_000;
