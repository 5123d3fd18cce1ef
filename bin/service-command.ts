import { string as stringArg } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';
import type { ArgInput, FlagInput } from '@oclif/core/interfaces';
import { plainText } from '../cli/output/plain-text.ts';
import { BaseCommand, type CommandClass } from '../cli/runtime/base-command.ts';
import { CliError } from '../cli/runtime/cli-error.ts';
import { onStopSignals } from '../cli/settings/world.ts';
import type { CommandCall, CommandFlag, CommandResult, ServiceCommand } from '../service/command.ts';
import { CommandError } from '../service/commands/operator/command-error.ts';
import { ConfigError } from '../service/config.ts';
import { ServiceError } from '../shared/core/errors.ts';
import { isStoreUnavailable } from '../shared/store/unavailable.ts';

/** The exit code after a second Ctrl-C, which ends the process at once. */
const FORCED_EXIT = 130;

/** Turns an operator command into an oclif command class, with the same flags, output and errors as all other commands. */
export function serviceCommandClass(command: ServiceCommand): CommandClass {
  return class ServiceCommandLine extends BaseCommand {
    static override description = command.description;
    static override examples = command.examples.map((example) => `<%= config.bin %> ${example}`);
    static override args = argsOf(command);
    static override flags = flagsOf(command);
    // Hides `--profile` and `--base-url`: they select an API, but operator commands use the database.
    static override baseFlags = {
      ...BaseCommand.baseFlags,
      profile: { ...BaseCommand.baseFlags.profile, hidden: true },
      'base-url': { ...BaseCommand.baseFlags['base-url'], hidden: true },
    };
    static override handlesInterrupt = command.runsUntilStopped ?? false;

    async run(): Promise<number | undefined> {
      const { args, flags } = await this.parse(ServiceCommandLine);
      const { stopped, off } = this.#stopSignals();
      try {
        const result = await command.run({
          args: args as CommandCall['args'],
          flags: flags as CommandCall['flags'],
          env: this.world.env,
          logTo: this.world.stderr,
          stopped,
          note: this.output.note,
        });
        this.#show(result);
        await result.afterOutput?.();
        return result.exit;
      } catch (error) {
        throw presentable(error);
      } finally {
        off();
      }
    }

    #stopSignals(): { stopped: Promise<void>; off: () => void } {
      const stop = Promise.withResolvers<void>();
      if (!command.runsUntilStopped) return { stopped: stop.promise, off: () => undefined };
      let asked = 0;
      const { off } = onStopSignals((signal) => {
        asked++;
        if (asked > 1 && signal === 'SIGINT') this.world.exit(FORCED_EXIT);
        stop.resolve();
      });
      return { stopped: stop.promise, off };
    }

    #show({ document, title, view, after = [] }: CommandResult): void {
      this.output.result(document, () => [
        ...(title === undefined ? [] : [this.output.paint('bold', title), '']),
        ...this.#lines(view),
        ...(after.length === 0 ? [] : ['', ...after]),
      ]);
    }

    #lines(view: CommandResult['view']): string[] {
      if ('fields' in view) {
        return this.output.fields(view.fields.map(([name, value]) => [name, plainText(value)] as const));
      }
      if (view.rows.length === 0) return [view.none];
      const columns = view.columns.map((name, index) => ({
        name,
        value: (row: readonly unknown[]) => row[index],
        // The first column never shrinks, because users copy ids from it.
        shrinks: index > 0,
      }));
      return this.output.table(view.rows, columns);
    }
  };
}

function argsOf({ args = [] }: ServiceCommand): ArgInput {
  return Object.fromEntries(
    args.map(({ name, description, optional }) => [
      name,
      stringArg({ description, required: optional !== true }),
    ]),
  );
}

function flagsOf({ flags = {} }: ServiceCommand): FlagInput {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flagOf(flag)]));
}

function flagOf(flag: CommandFlag): FlagInput[string] {
  const { summary, options, min, max, helpValue } = flag;
  if (flag.kind === 'switch') return boolean({ summary });
  if (flag.kind === 'yes_no') return boolean({ summary, allowNo: true });
  if (flag.kind === 'whole_number') {
    return integer({
      summary,
      helpValue: helpValue ?? '<n>',
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(typeof flag.default === 'number' && { default: flag.default }),
    });
  }
  return string({
    summary,
    ...(options !== undefined && { options }),
    ...(helpValue !== undefined && { helpValue }),
    ...(typeof flag.default === 'string' && { default: flag.default }),
  });
}

/** Converts an error of an operator command into a `CliError` with a code, a message and a fix. Returns any other error unchanged. */
export function presentable(error: unknown): unknown {
  if (error instanceof ConfigError) {
    const { problems } = error;
    const settings = problems.map(({ name, problem }) => `${name} ${problem}`);
    return new CliError(
      'usage',
      ['Some settings in the environment are wrong or missing:', ...settings].join('\n'),
      {
        fix: 'Correct these environment variables, then run the command again. Nothing was started.',
        status_detail: { settings: problems },
      },
    );
  }
  if (error instanceof CommandError) {
    return new CliError(error.code, error.message, { fix: error.fix, cause: error });
  }
  if (error instanceof ServiceError) {
    const { code, message, fix, status, status_detail } = error;
    return new CliError(code, message, {
      fix,
      status,
      cause: error,
      ...(status_detail && { status_detail }),
    });
  }
  if (error instanceof Error && isStoreUnavailable(error)) {
    return new CliError('database_unavailable', `The database does not respond: ${error.message}`, {
      fix: 'Check that the database is running, then run the command again.',
      cause: error,
    });
  }
  return error;
}
