import type { LogDestination } from './health/json-log.ts';

/** An operator command, described as data. The code in `bin` adds these commands to the CLI and prints their results. */
export interface ServiceCommand {
  /** Full sentences for the help. */
  description: string;
  examples: readonly string[];
  args?: readonly CommandArg[];
  flags?: Readonly<Record<string, CommandFlag>>;
  /** True if the command runs until the operator stops it. */
  runsUntilStopped?: boolean;
  run(call: CommandCall): Promise<CommandResult>;
}

export interface CommandArg {
  name: string;
  description: string;
  optional?: true;
}

export interface CommandFlag {
  summary: string;
  /** The type of value. `yes_no` also accepts `--no-<name>`. */
  kind: 'text' | 'whole_number' | 'switch' | 'yes_no';
  options?: readonly string[];
  min?: number;
  max?: number;
  default?: string | number;
  helpValue?: string;
}

export interface CommandCall {
  args: Readonly<Record<string, string>>;
  /** Values of the flags that were given. A switch that was not given is false. */
  flags: Readonly<Record<string, string | number | boolean | undefined>>;
  env: NodeJS.ProcessEnv;
  logTo: LogDestination;
  /** Resolves when the operator asks the command to stop. */
  stopped: Promise<void>;
  /** Prints a line that is not part of the result. */
  note(text: string): void;
}

/** A command's result: the document that `--json` prints, and a view for people. */
export interface CommandResult {
  document: unknown;
  /** Title above the view. */
  title?: string;
  view:
    | { fields: readonly (readonly [name: string, value: unknown])[] }
    | { columns: readonly string[]; rows: readonly (readonly unknown[])[]; none: string };
  /** Lines below the view, such as the command for the next page. */
  after?: readonly string[];
  exit?: number;
  /** Continues the command after its result is printed. */
  afterOutput?: () => Promise<void>;
}
