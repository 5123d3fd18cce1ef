import { Readable } from 'node:stream';
import { runCommandLine } from '../../../cli/main.ts';
import { emptyFolder } from '../../cli/run-cli.ts';

export interface CommandRun {
  exit: number;
  stdout: string;
  stderr: string;
}

/** The longest sleep of a command. With it, a polling command polls often, and the test does not have to wait. */
const SLEEP_MS_MAX = 50;

/** Runs an `emulator` command in this process, without the user's environment. */
export async function runEmulatorCommand(argv: string[], cwd = emptyFolder()): Promise<CommandRun> {
  const home = emptyFolder();
  const result: CommandRun = { exit: 0, stdout: '', stderr: '' };
  result.exit = await runCommandLine(['emulator', ...argv], {
    env: { HOME: home, XDG_CONFIG_HOME: home, NAMEPLATE_STATE_DIR: home },
    cwd,
    stdin: Readable.from(['']),
    stdout: {
      write: (text) => {
        result.stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        result.stderr += text;
      },
    },
    elapsedMs: () => performance.now(),
    sleep: (waitMs) => new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, SLEEP_MS_MAX))),
    onInterrupt: () => () => undefined,
    stopJob: () => undefined,
    exit: (code) => {
      throw new Error(`the command exited with ${code}`);
    },
  });
  return result;
}
