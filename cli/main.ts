import { findCommand, unknownCommand } from './arguments/find-command.ts';
import { COMMANDS, type CommandMap, TOPICS, type TopicMap } from './commands.ts';
import { createOutput, flagValue, hasFlag, wantsColor } from './output/output.ts';
import { jsonLine } from './output/plain-text.ts';
import type { BaseCommand, CommandClass } from './runtime/base-command.ts';
import { interrupted, usageError } from './runtime/cli-error.ts';
import { presentError } from './runtime/error-presenter.ts';
import { CliConfig } from './runtime/oclif-config.ts';
import { checkWords, explainParseError } from './runtime/parse-error.ts';
import { systemWorld, type World } from './settings/world.ts';

/** Runs one command line and returns its exit code. Prints every error; never throws. */
export async function runCommandLine(
  argv: readonly string[],
  world: World = systemWorld(),
  commands: CommandMap = COMMANDS,
  topics: TopicMap = TOPICS,
): Promise<number> {
  const output = createOutput(world, { json: hasFlag(argv, '--json'), color: wantsColor(world, argv) });
  let failureExit: number | undefined;
  let loaded: CommandClass | undefined;
  let command: BaseCommand | undefined;
  let stopListening: (() => void) | undefined;
  try {
    const config = new CliConfig(world, commands, topics);
    if (argv[0] === '__complete') {
      // Lazy: loading the client and the settings would delay --version and --help by 11 ms.
      const { printCandidates } = await import('./complete/candidates.ts');
      return await printCandidates(argv.slice(1), config, world);
    }
    if (argv[0] === '--version') {
      output.result({ version: config.version }, () => [config.userAgent]);
      return 0;
    }
    const { id, topic, words, rest } = findCommand(argv, config);
    const wantsHelp = argv.length === 0 || hasFlag(argv, '--help') || hasFlag(argv, '-h');
    if (topic !== undefined || (wantsHelp && (id !== undefined || words.length === 0))) {
      // Lazy: oclif's help would delay every other command by 5 ms.
      const { showHelp } = await import('./runtime/help.ts');
      await showHelp(id ?? topic, config, output);
      return 0;
    }
    loaded = id === undefined ? undefined : await config.loadClass(id);
    if (!loaded) throw unknownCommand(argv, config);

    failureExit = loaded.failureExit;
    if (loaded.isStream && flagValue(rest, '--jq') !== undefined)
      throw usageError('--jq needs a command that ends.', 'Pipe the --json output of this command into jq.');
    if (!loaded.handlesInterrupt) {
      stopListening = world.onInterrupt(() => {
        command?.output.dropBelow();
        world.exit(presentError(command?.interruption() ?? interrupted(), output, failureExit));
      });
    }
    checkWords(rest, loaded);
    command = new loaded(rest, config);
    const exit = await command.run();
    // Remove the Ctrl-C listener, because a jq program can block this process forever. Ctrl-C then ends the process immediately.
    stopListening?.();
    await command.output.finish();
    return exit ?? 0;
  } catch (error) {
    const explained = command === undefined ? error : await command.explain(error);
    // A command that prints NDJSON prints the error on one line too.
    const result = (document: unknown) => void world.stdout.write(`${jsonLine(document)}\n`);
    const shown = loaded?.isStream ? { ...output, result } : output;
    return presentError(explainParseError(explained, loaded), shown, failureExit);
  } finally {
    stopListening?.();
  }
}
