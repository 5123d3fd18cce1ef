/** The names of keys, by what a terminal sends for them. */
const NAMES: Readonly<Record<string, string>> = {
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x1a': 'ctrl-z',
  '\r': 'enter',
  '\n': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1b[5~': 'pageup',
  '\x1b[6~': 'pagedown',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
};

/** An escape sequence, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const KEY = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.)?|./gsu;

/** A slow connection may deliver some keys together. More characters than this are a paste, which must not act as keys. */
const KEYS_AT_ONCE_MAX = 8;

/** Splits what a terminal sent into keys. Leaves out sequences without a name, and pasted text. */
export function readScreenKeys(chunk: string): string[] {
  const keys = chunk.match(KEY) ?? [];
  if (keys.length > KEYS_AT_ONCE_MAX) return [];
  return keys.flatMap((key) => NAMES[key] ?? (/^[\x20-\x7e]$/.test(key) ? key : []));
}
