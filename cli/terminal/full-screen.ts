import type { Output } from '../output/output.ts';
import type { World } from '../settings/world.ts';
import { type Line, painted } from './line.ts';
import { createKeyReader, type KeyPress } from './read-keys.ts';

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** The terminal while a full-screen view owns it: its alternate screen, its keys and its mouse. */
export interface FullScreen {
  size(): ScreenSize;
  /** Draws a frame. Writes only the lines that differ from those on the screen. */
  draw(lines: readonly Line[]): void;
  /** Turns the reports of the mouse on or off. While they are on, most terminals select text only with Shift. */
  setMouse(on: boolean): void;
  /** Returns the terminal to the shell and runs `work`, which returns when the job resumes. Then takes the terminal again. */
  suspend(work: () => void): void;
  /** Returns the terminal to the shell as it was. */
  close(): void;
}

interface FullScreenOptions extends Pick<World, 'stdin' | 'stdout'> {
  paint: Output['paint'];
  hasMouse: boolean;
  /** Called with the keys that came together. */
  pressed(keys: readonly KeyPress[]): void;
  /** Called when the screen is empty and needs a frame: after a resize and after a suspension. */
  emptied(): void;
}

/** Xterm control sequences: the alternate screen, the cursor, line wrap, and the marks around pasted text. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h';
const LEAVE = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';
/** Presses of mouse buttons (1000) in the SGR form (1006). */
const MOUSE_ON = '\x1b[?1000h\x1b[?1006h';
const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l';
/** A terminal that knows these shows a frame only once it is complete. */
const [FRAME_BEGINS, FRAME_ENDS] = ['\x1b[?2026h', '\x1b[?2026l'];
const EMPTY_SCREEN = '\x1b[2J';

/** Takes over the terminal. The caller draws the first frame. */
export function openFullScreen({
  stdin,
  stdout,
  paint,
  hasMouse,
  pressed,
  emptied,
}: FullScreenOptions): FullScreen {
  const keys = createKeyReader(pressed);
  const read = (chunk: Buffer | string) => keys.read(String(chunk));
  let isMouseOn = hasMouse;
  let isOurs = false;
  /** The lines on the screen; null if the next frame has to empty it first. */
  let shown: readonly string[] | null = null;

  // A resize moves or drops lines. The signal also comes if the size is the same again, unlike the event `resize` of the stream.
  const resized = () => {
    shown = null;
    emptied();
  };
  const release = () => {
    if (!isOurs) return;
    isOurs = false;
    process.off('uncaughtExceptionMonitor', release);
    process.off('exit', release);
    process.off('SIGWINCH', resized);
    stdin.setRawMode?.(false);
    stdout.write((isMouseOn ? MOUSE_OFF : '') + LEAVE);
  };
  const take = () => {
    isOurs = true;
    shown = null;
    // Also runs after a crash, before its message is printed: the message would disappear with the alternate screen.
    process.on('uncaughtExceptionMonitor', release);
    process.on('exit', release);
    process.on('SIGWINCH', resized);
    stdout.write(ENTER + (isMouseOn ? MOUSE_ON : ''));
    stdin.setRawMode?.(true);
  };

  take();
  stdin.setEncoding('utf8').on('data', read);
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw(lines) {
      if (!isOurs) return;
      const next = lines.map((line) => painted(line, paint));
      const changes = changedLines(shown ?? [], next);
      if (shown !== null && changes === '') return;
      stdout.write(`${FRAME_BEGINS}${shown === null ? EMPTY_SCREEN : ''}${changes}${FRAME_ENDS}`);
      shown = next;
    },
    setMouse(on) {
      isMouseOn = on;
      if (isOurs) stdout.write(on ? MOUSE_ON : MOUSE_OFF);
    },
    suspend(work) {
      release();
      work();
      take();
      emptied();
    },
    close() {
      release();
      keys.close();
      stdin.off('data', read);
      stdin.pause();
    },
  };
}

/** Returns what turns one frame into the next. Erases a line before its text, because after a full line the cursor is on its last character. */
function changedLines(before: readonly string[], next: readonly string[]): string {
  return Array.from({ length: Math.max(before.length, next.length) }, (_, index) => {
    const text = next[index] ?? '';
    return text === (before[index] ?? '') ? '' : `\x1b[${index + 1}H\x1b[2K${text}`;
  }).join('');
}
