import type { Log } from '../shared/ports/log.ts';

/** A command of the operator, as data: `bin` joins these with those of the command line, and prints what they answer. */
export interface ServiceCommand {
  summary: string;
  description?: string;
  examples: readonly string[];
  args?: readonly CommandArg[];
  flags?: Readonly<Record<string, CommandFlag>>;
  run(call: CommandCall): Promise<CommandAnswer>;
}

export interface CommandArg {
  name: string;
  description: string;
}

export interface CommandFlag {
  summary: string;
  kind: 'text' | 'whole_number' | 'switch' | 'yes_no';
  options?: readonly string[];
  default?: string | number;
}

export interface CommandCall {
  args: Readonly<Record<string, string>>;
  /** What was given; a switch that was not is false. */
  flags: Readonly<Record<string, string | number | boolean | undefined>>;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** Resolves when the operator asks the command to stop. */
  stopped: Promise<void>;
  /** A line beside the answer. */
  note(text: string): void;
}

/** One document for `--json`, and how a person sees it. */
export interface CommandAnswer {
  document: unknown;
  view:
    | { fields: readonly (readonly [name: string, value: string])[] }
    | { columns: readonly string[]; rows: readonly (readonly string[])[] };
  /** A line below, such as the command for the next page. */
  after?: string;
  exit?: number;
}
