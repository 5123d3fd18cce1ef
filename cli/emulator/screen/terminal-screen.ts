import type { Output } from '../../output/output.ts';
import { readScreenKeys } from '../../terminal/read-keys.ts';
import type { ScreenLine } from './draw-screen.ts';

/** A terminal in full-screen mode. Ink would draw the same lines, but loading it would make the emulator start later. */
export interface TerminalScreen {
  size(): { columns: number; rows: number };
  /** Draws a whole frame. */
  draw(lines: readonly ScreenLine[]): void;
  /** Leaves the screen, runs `work`, which returns when the job resumes, and takes the screen again. */
  suspend(work: () => void): void;
  /** Restores the terminal. */
  close(): void;
}

interface TerminalOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  paint: Output['paint'];
  pressed(key: string): void;
  resized(): void;
}

/** The alternate screen, without cursor and line wrap. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
/** A terminal that knows these shows a frame only once it is complete. */
const [FRAME_BEGINS, FRAME_ENDS] = ['\x1b[?2026h', '\x1b[?2026l'];
const TOP_LEFT = '\x1b[H';
/** Erases a line. Written before the line's text: after a full line, the cursor is on the last character and would erase it. */
const WHOLE_LINE = '\x1b[2K';
const REST_OF_SCREEN = '\x1b[J';

export function openTerminalScreen({
  stdin,
  stdout,
  paint,
  pressed,
  resized,
}: TerminalOptions): TerminalScreen {
  const read = (chunk: Buffer) => {
    for (const key of readScreenKeys(String(chunk))) pressed(key);
  };
  const enter = () => {
    stdin.setRawMode(true);
    stdout.write(ENTER);
  };
  const leave = () => {
    stdout.write(LEAVE);
    stdin.setRawMode(false);
  };
  enter();
  stdin.on('data', read);
  stdout.on('resize', resized);
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    draw(lines) {
      const text = lines.map((line) => WHOLE_LINE + painted(line, paint)).join('\r\n');
      const rest = lines.length < (stdout.rows || 24) ? `\r\n${REST_OF_SCREEN}` : '';
      stdout.write(`${FRAME_BEGINS}${TOP_LEFT}${text}${rest}${FRAME_ENDS}`);
    },
    suspend(work) {
      leave();
      work();
      enter();
    },
    close() {
      stdin.off('data', read);
      stdout.off('resize', resized);
      leave();
      stdin.pause();
    },
  };
}

function painted(line: ScreenLine, paint: Output['paint']): string {
  return line.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join('');
}
