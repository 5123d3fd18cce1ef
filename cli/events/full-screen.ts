import type { World } from '../settings/world.ts';

/** The terminal while a full-screen view owns it: its alternate screen, without a cursor. */
export interface FullScreen {
  enter(): void;
  /** Returns the terminal to the shell as it was. Does nothing if the view does not own it. */
  leave(): void;
}

/** Xterm control sequences for the alternate screen and the cursor. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[J';
const LEAVE = '\u001b[?25h\u001b[?1049l';

export function createFullScreen({ stdin, stdout }: Pick<World, 'stdin' | 'stdout'>): FullScreen {
  let isOurs = false;
  const leave = () => {
    if (!isOurs) return;
    isOurs = false;
    process.off('uncaughtExceptionMonitor', leave);
    process.off('exit', leave);
    stdin.setRawMode?.(false);
    stdout.write(LEAVE);
  };
  return {
    leave,
    enter() {
      if (isOurs) return;
      isOurs = true;
      // After a crash too, and before its message is printed: the alternate screen would take the message with it.
      process.on('uncaughtExceptionMonitor', leave);
      process.on('exit', leave);
      stdout.write(ENTER);
      // Without raw mode, the terminal would print the keys that are typed before the view reads them.
      stdin.setRawMode?.(true);
    },
  };
}
