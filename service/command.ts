import type { LogDestination } from './health/json-log.ts';

/** A command of the operator, as data: `bin` joins these with those of the command line, and prints what they answer. */
export interface ServiceCommand {
  /** Sentences. */
  description: string;
  examples: readonly string[];
  args?: readonly CommandArg[];
  flags?: Readonly<Record<string, CommandFlag>>;
  /** True for one that goes on until it is asked to stop, and then ends by itself. */
  runs_until_stopped?: boolean;
  run(call: CommandCall): Promise<CommandAnswer>;
}

export interface CommandArg {
  name: string;
  description: string;
}

export interface CommandFlag {
  summary: string;
  /** `yes_no` is also `--no-<name>`. */
  kind: 'text' | 'whole_number' | 'switch' | 'yes_no';
  options?: readonly string[];
  min?: number;
  max?: number;
  default?: string | number;
  help_value?: string;
}

export interface CommandCall {
  args: Readonly<Record<string, string>>;
  /** What was given; a switch that was not is false. */
  flags: Readonly<Record<string, string | number | boolean | undefined>>;
  env: NodeJS.ProcessEnv;
  log_to: LogDestination;
  /** Resolves when the operator asks the command to stop. */
  stopped: Promise<void>;
  /** A line beside the answer. */
  note(text: string): void;
}

/** One document for `--json`, and how a person sees it. */
export interface CommandAnswer {
  document: unknown;
  /** A line above. */
  title?: string;
  view:
    | { fields: readonly (readonly [name: string, value: unknown])[] }
    | { columns: readonly string[]; rows: readonly (readonly unknown[])[]; none: string };
  /** Lines below, such as the command for the next page. */
  after?: readonly string[];
  exit?: number;
  /** What the command does once its answer is printed. */
  go_on?: () => Promise<void>;
}
