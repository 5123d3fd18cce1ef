import { styleText } from 'node:util';
import { usageError } from '../runtime/cli-error.ts';
import type { TextStream, World } from '../settings/world.ts';
import { ageWords } from './age.ts';
import { fieldLines } from './field-lines.ts';
import { forTerminal, plainJson, plainText, plainTime } from './plain-text.ts';
import { type TableColumn, tableLines } from './table.ts';
import { wrapText } from './wrap-text.ts';

/** Prints a command's output: the result on stdout, as text or as one JSON document, and everything else on stderr. */
export interface Output {
  json: boolean;
  /** The terminal's width in columns; Infinity if stdout is not a terminal. */
  width: number;
  /** Prints the command's result, as JSON or as lines of text. Call it once. With `--jq`, `finish` prints the result instead. */
  result(document: unknown, lines: () => string[]): void;
  /** With `--jq`, runs the jq program on the result and prints its output. @throws CliError if the program is wrong. */
  finish(): Promise<void>;
  /** Prints a line on stderr. */
  note(text: string): void;
  /** Prints a sentence on stderr, wrapped to the width of the terminal. */
  tell(sentence: string, style?: Style): void;
  /** Draws a text below the notes on the terminal, such as progress. Null removes the text. */
  showBelow(below: Below | null): void;
  /** Erases the text below the notes immediately. Call it before the process exits. */
  dropBelow(): void;
  table<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string[];
  /** Formats an RFC 3339 time in full. On a terminal, adds the distance from now, such as `in 2h`. */
  time(timestamp: string | null | undefined): string;
  /** Sets how many milliseconds the server's clock is ahead of this machine's. Only an emulator's clock can be moved. */
  setClockAhead(aheadMs: number): void;
  /** Returns the server's time in milliseconds since the epoch. Before `setClockAhead`, returns this machine's time. */
  nowMs(): number;
  /** Wraps a sentence to the terminal's width. */
  prose(text: string): string[];
  /** Formats names and values in two columns. Wraps long values to the terminal's width. */
  fields(pairs: readonly (readonly [string, string])[]): string[];
  paint(style: Style, text: string): string;
  /** Hides a secret in all later output, even if a server sends it back. */
  hide(secret: string): void;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** Lines below the notes. The output erases them before it prints a note, and draws them again below the note. */
export interface Below {
  erase(): void;
  draw(): void;
  drop(): void;
}

/** The part of `Output` that formats text. */
export type Formatting = Pick<Output, 'width' | 'paint' | 'table' | 'prose' | 'fields' | 'time'>;

export interface OutputOptions {
  json: boolean;
  color: boolean;
  /** A jq program that the JSON document is passed through before it is printed. */
  jq?: string | undefined;
}

export function createOutput(world: World, options: OutputOptions): Output {
  const { stdout, stderr } = world;
  const { jq } = options;
  let selected: { from: unknown } | null = null;
  const paint = (style: Style, text: string) =>
    options.color ? styleText(style, text, { validateStream: false }) : text;
  let clockAheadMs = 0;
  const isTerminal = stdout.isTTY === true;
  const nowMs = () => Date.now() + clockAheadMs;
  const age = (timestamp: string) => ageWords(timestamp, nowMs());
  const hidden = new Set<string>();
  const write = (stream: World['stdout'], text: string) => {
    const clean = [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
    stream.write(stream.isTTY ? forTerminal(clean) : clean);
  };
  let below: Below | null = null;
  const note = (text: string) => {
    below?.erase();
    write(stderr, `${text}\n`);
    below?.draw();
  };

  return {
    json: options.json || jq !== undefined,
    width: terminalWidth(stdout),
    paint,
    note,
    showBelow(shown) {
      below = shown;
    },
    tell(sentence, style) {
      for (const line of wrapText(sentence, terminalWidth(stderr)))
        note(style === undefined ? line : paint(style, line));
    },
    dropBelow: () => below?.drop(),
    hide: (secret) => void hidden.add(secret),
    result(document, lines) {
      if (jq !== undefined) {
        selected = { from: document };
        return;
      }
      const text = options.json
        ? `${plainJson(document)}\n`
        : lines()
            .map((line) => `${line}\n`)
            .join('');
      write(stdout, text);
    },
    async finish() {
      if (jq === undefined || selected === null) return;
      write(stdout, await applyJq(selected.from, jq));
    },
    nowMs,
    setClockAhead(aheadMs) {
      clockAheadMs = aheadMs;
    },
    time(timestamp) {
      const full = plainTime(timestamp);
      return isTerminal && isTime(timestamp) ? `${full} (${age(timestamp)})` : full;
    },
    table(rows, columns) {
      const cell = (value: unknown) =>
        isTerminal && isTime(value) ? age(value) : plainTime(plainText(value));
      const dim = (text: string) => paint('dim', text);
      const { lines, leftOut } = tableLines(rows, columns, terminalWidth(stdout), { time: cell, quiet: dim });
      if (leftOut.length > 0) note(dim(`Hidden, terminal too narrow: ${leftOut.join(', ')}.`));
      return lines;
    },
    prose: (text) => wrapText(text, terminalWidth(stdout)),
    fields: (pairs) => fieldLines(pairs, { width: terminalWidth(stdout), paint }),
  };
}

/** Returns true on a terminal, unless colour is turned off (no-color.org). */
export function wantsColor(world: World, argv: readonly string[]): boolean {
  const { NO_COLOR, TERM } = world.env;
  return !NO_COLOR && TERM !== 'dumb' && world.stdout.isTTY === true && !hasFlag(argv, '--no-color');
}

/**
 * Returns true if the command line has the flag. Does not parse the command line, because printing a parse error needs the flag too.
 * Ignores everything after `--`.
 */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes(flag);
}

/** Returns the value of a flag without parsing the command line. Returns undefined if the flag or its value is missing. */
export function flagValue(argv: readonly string[], flag: string): string | undefined {
  const end = argv.indexOf('--');
  const before = end === -1 ? argv : argv.slice(0, end);
  const at = before.findIndex((each) => each === flag || each.startsWith(`${flag}=`));
  const found = before[at];
  return found === flag ? before[at + 1] : found?.slice(flag.length + 1);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/**
 * Returns the terminal's width, or 80 if the terminal reports none. For a stream that is not a terminal, returns Infinity, so that nothing
 * is cut.
 */
function terminalWidth({ isTTY, columns }: TextStream): number {
  return isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
}

/**
 * Runs a jq program on a document. A string is printed without quotes, as `jq -r` does.
 * @returns the output, with a line end after each result.
 * @throws CliError if jq refuses the program, or the program fails on this document.
 */
async function applyJq(document: unknown, program: string): Promise<string> {
  try {
    // Lazy: jq is a WebAssembly module, which takes longer to load than the rest of a command.
    const { raw } = await import('jq-wasm');
    const text = await raw(JSON.stringify(document), program, ['-r']);
    return text === '' ? '' : `${text}\n`;
  } catch (error) {
    // Shows only the first line of jq's message, without its prefix.
    const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
    const reason = first.replace(JQ_PREFIX, '');
    throw usageError(`--jq: ${plainText(reason)}`, 'Correct the program. Its input is what --json prints.');
  }
}

const JQ_PREFIX = /^(?:Failed to execute raw query: )?jq: error:? ?(?:\(at [^)]*\): )?/;
