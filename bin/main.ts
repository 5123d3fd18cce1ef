import { COMMANDS, type CommandMap, TOPICS } from '../cli/commands.ts';
import { runCommandLine } from '../cli/main.ts';
import type { World } from '../cli/settings/world.ts';
import { SERVICE_COMMANDS, SERVICE_TOPICS } from '../service/commands.ts';
import { presentCrash } from './present-crash.ts';

/** Runs the CLI with the user commands and the operator commands in one map. */
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
