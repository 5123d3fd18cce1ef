/** A key with a name, such as `up` or `ctrl-c`, or with the text that it types. */
export interface KeyPress {
  /** Empty for a key that types text. Not only keys have names: also `paste`, `click`, `wheelup` and `wheeldown`. */
  name: string;
  /** The text that the key types or the user pasted; empty if there is none. */
  text: string;
  /** The line of the screen that was clicked, from 0. */
  line?: number;
}

export interface KeyReader {
  /** Reads what the terminal sent, in chunks of any size. */
  read(chunk: string): void;
  close(): void;
}

/** Creates a reader that turns what a terminal sends into keys. @param pressed is called with the keys that came together. */
export function createKeyReader(pressed: (keys: readonly KeyPress[]) => void): KeyReader {
  let unread = '';
  let timer: NodeJS.Timeout | undefined;
  const deliver = (text: string) => {
    const keys = keysOf(text);
    if (keys.length > 0) pressed(keys);
  };
  return {
    read(chunk) {
      clearTimeout(timer);
      const text = unread + chunk;
      if (unread.startsWith(PASTE_BEGINS) && !text.includes(PASTE_ENDS, unread.length - PASTE_ENDS.length)) {
        unread = startOfPaste(text);
        return;
      }
      const end = text.search(UNFINISHED);
      const complete = end === -1 ? text : text.slice(0, end);
      unread = text.slice(complete.length);
      if (unread !== '' && !unread.startsWith(PASTE_BEGINS)) timer = setTimeout(giveUp, REST_MS);
      deliver(complete);
    },
    close: () => clearTimeout(timer),
  };

  /** Ends the wait for the rest of a sequence. Escape alone is the Escape key; a longer start means nothing. */
  function giveUp(): void {
    if (unread === ESCAPE) deliver(unread);
    unread = '';
  }
}

/** A slow connection may deliver some keys together. More than this is a paste on a terminal without bracketed paste. */
const KEYS_AT_ONCE_MAX = 8;

/**
 * Returns true for a key that the user has pasted instead of typed. A fast wheel sends many reports of the mouse together.
 * @param together the keys that came with it, and the key itself.
 */
export function isPasted(key: KeyPress, together: readonly KeyPress[]): boolean {
  const typed = together.filter(({ line }) => line === undefined);
  return key.name === 'paste' || typed.length > KEYS_AT_ONCE_MAX;
}

/** The rest of a sequence follows its start at once, unless the connection is slow. Short enough that Escape does not feel slow. */
const REST_MS = 25;

const ESCAPE = '\x1b';
const [PASTE_BEGINS, PASTE_ENDS] = ['\x1b[200~', '\x1b[201~'];
/** The longest text of a paste that is kept. No view takes a longer one. */
const PASTE_CHARS_MAX = 10_000;

/** Returns the start of a paste that has not ended, and its last characters, which may be the start of the mark at its end. */
function startOfPaste(text: string): string {
  const charsMax = PASTE_BEGINS.length + PASTE_CHARS_MAX;
  return text.length <= charsMax
    ? text
    : text.slice(0, charsMax - PASTE_ENDS.length) + text.slice(-PASTE_ENDS.length);
}

/**
 * Matches, in this order: a paste between its marks, a report of the mouse (xterm, SGR), another control sequence, Alt with a letter, and
 * a single character. Terminals send Alt with a key as Escape and the key, so only the letters that edit a line count as Alt.
 */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with the escape character
  /\x1b\[200~(?<paste>.*?)\x1b\[201~|\x1b\[<(?<button>\d+);\d+;(?<line>\d+)(?<state>[Mm])|\x1b\[[<0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b(?<alt>[bdf])|./gsu;

/** Matches a paste or a sequence whose end has not come yet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with the escape character
const UNFINISHED = /\x1b(?:\[200~(?:(?!\x1b\[201~).)*|\[[<0-9;?]*[ -/]*|O)?$/s;

const BUTTONS: Readonly<Record<string, string>> = { '0': 'click', '64': 'wheelup', '65': 'wheeldown' };

/** The names of keys, by what terminals send for them. */
const NAMES: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x1b[Z': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1bOC': 'right',
  '\x1bOD': 'left',
  '\x1b[5~': 'pageup',
  '\x1b[6~': 'pagedown',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[7~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[8~': 'end',
  '\x1b[3~': 'delete',
  '\x1b[1;3D': 'alt-b',
  '\x1b[1;5D': 'alt-b',
  '\x1b[1;3C': 'alt-f',
  '\x1b[1;5C': 'alt-f',
};

function keysOf(text: string): KeyPress[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, groups = {} }): KeyPress | [] => {
    const { paste, button, line, state, alt } = groups;
    if (paste !== undefined) return { name: 'paste', text: paste };
    if (alt !== undefined) return { name: `alt-${alt}`, text: '' };
    if (button !== undefined) {
      const name = state === 'M' ? BUTTONS[button] : undefined;
      return name === undefined ? [] : { name, text: '', line: Number(line) - 1 };
    }
    const name = NAMES[token] ?? controlName(token);
    if (name !== null) return { name, text: '' };
    return token.startsWith('\x1b') ? [] : { name: '', text: token };
  });
}

/** Returns the name of a control character, such as `ctrl-c`; null for any other text. */
function controlName(token: string): string | null {
  const code = token.length === 1 ? token.charCodeAt(0) : 0;
  return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(code + 96)}` : null;
}
