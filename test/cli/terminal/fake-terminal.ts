import { PassThrough } from 'node:stream';
import type { World } from '../../../cli/settings/world.ts';

/** A terminal in memory, which understands the sequences that a full-screen view writes. */
export interface FakeTerminal extends Pick<World, 'stdin' | 'stdout'> {
  /** Sends bytes as the keyboard and the mouse do. */
  type(bytes: string): void;
  /** Returns the lines on the screen. */
  lines(): string[];
  /** Returns the modes that were set (`1049h`) and reset (`1049l`) since the last call, in order, without those around a frame. */
  modes(): string[];
  /** Returns the number of frames and of lines that were written since the last call. */
  drawn(): { frames: number; lines: number };
  isRaw(): boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with the escape character
const WRITTEN_LINE = /\u001b\[(\d+)H\u001b\[2K((?:(?!\u001b\[(?:\d+H|\?)).)*)|\u001b\[2J/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with the escape character
const MODE = /\u001b\[\?(\d+[hl])/g;

export function fakeTerminal(columns = 80, rows = 24): FakeTerminal {
  let isRaw = false;
  let shown: string[] = [];
  const modes: string[] = [];
  let drawn = { frames: 0, lines: 0 };
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      isRaw = raw;
    },
  });
  return {
    stdin,
    stdout: {
      isTTY: true,
      columns,
      rows,
      write(text: string) {
        for (const [, mode = ''] of text.matchAll(MODE)) {
          if (mode === '2026h') drawn.frames++;
          else if (mode !== '2026l') modes.push(mode);
        }
        for (const [, line, content = ''] of text.matchAll(WRITTEN_LINE)) {
          if (line === undefined) {
            shown = [];
            continue;
          }
          shown[Number(line) - 1] = content;
          drawn.lines++;
        }
      },
    },
    type: (bytes) => void stdin.write(bytes),
    lines: () => Array.from(shown, (line) => line ?? ''),
    modes: () => modes.splice(0),
    drawn() {
      const before = drawn;
      drawn = { frames: 0, lines: 0 };
      return before;
    },
    isRaw: () => isRaw,
  };
}
