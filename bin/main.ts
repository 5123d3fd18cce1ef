import { COMMANDS, type CommandMap, TOPICS } from '../cli/commands.ts';
import { runCommandLine } from '../cli/main.ts';
import { createOutput, hasFlag } from '../cli/output/output.ts';
import { withoutSecrets } from '../cli/output/plain-text.ts';
import { fileFailure, presentError } from '../cli/runtime/error-presenter.ts';
import { systemWorld, type World } from '../cli/settings/world.ts';
import { SERVICE_COMMANDS, SERVICE_TOPICS } from '../service/commands.ts';

/** Runs the CLI with both the user commands and the operator commands. */
export function run(argv: readonly string[], world?: World): Promise<number> {
  if (world === undefined) process.once('uncaughtException', (error) => presentCrash(error, argv));
  return runCommandLine(argv, world, ALL_COMMANDS, { ...TOPICS, ...SERVICE_TOPICS });
}

export const ALL_COMMANDS: CommandMap = {
  ...COMMANDS,
  ...Object.fromEntries(
    Object.entries(SERVICE_COMMANDS).map(([id, { summary, load }]) => [
      id,
      {
        summary,
        load: async () => (await import('./service-command.ts')).serviceCommandClass(await load()),
      },
    ]),
  ),
};

/**
 * Reports an uncaught error and ends the process. Node itself would print every property of the error, which can include a request with its
 * API key.
 */
export function presentCrash(error: unknown, argv: readonly string[]): void {
  const world = systemWorld();
  const output = createOutput(world, { json: hasFlag(argv, '--json'), color: false });
  const exit = presentError(error, output);
  // Print no stack for a file error such as a full disk, because only the user can solve it.
  if (error instanceof Error && fileFailure(error) === null) output.note(withoutSecrets(stackOf(error)));
  world.exit(exit);
}

/** Returns the stack frames of an error without the message, because the message is already printed. */
function stackOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
