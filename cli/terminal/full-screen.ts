import type { World } from '../settings/world.ts';

/** The terminal while a full-screen view owns it: its alternate screen, without a cursor, with reports of the mouse wheel. */
export interface FullScreen {
  enter(): void;
  /** Returns the terminal to the shell as it was. Does nothing if the view does not own it. */
  leave(): void;
  /** Turns the reports of the mouse on or off. While they are on, most terminals select text only with Shift. */
  setMouse(on: boolean): void;
}

/** Xterm control sequences: the alternate screen, the cursor, and presses of mouse buttons (1000) in the SGR form (1006). */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[J';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';

export function createFullScreen({ stdin, stdout }: Pick<World, 'stdin' | 'stdout'>): FullScreen {
  let isOurs = false;
  let mouse = true;
  const leave = () => {
    if (!isOurs) return;
    isOurs = false;
    process.off('uncaughtExceptionMonitor', leave);
    process.off('exit', leave);
    stdin.setRawMode?.(false);
    stdout.write(MOUSE_OFF + LEAVE);
  };
  return {
    leave,
    enter() {
      if (isOurs) return;
      isOurs = true;
      // Also runs after a crash, before its message is printed: the message would disappear with the alternate screen.
      process.on('uncaughtExceptionMonitor', leave);
      process.on('exit', leave);
      stdout.write(ENTER + (mouse ? MOUSE_ON : ''));
      // Without raw mode, the terminal would echo keys that are typed before the view reads them.
      stdin.setRawMode?.(true);
    },
    setMouse(on) {
      mouse = on;
      if (isOurs) stdout.write(on ? MOUSE_ON : MOUSE_OFF);
    },
  };
}
