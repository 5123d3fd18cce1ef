import chalk from 'chalk';
import { render } from 'ink';
import type { ReactNode } from 'react';
import type { World } from '../settings/world.ts';

interface ScreenOptions extends Pick<World, 'stdin' | 'stdout'> {
  color: boolean;
  /** Called when the terminal is gone, so that nobody can see the view any more. */
  onLost(): void;
}

const MAX_FPS = 60;
/**
 * Alternate scroll mode (1007): the terminal sends arrow keys for the mouse wheel. Many terminals have it on by default, so its setting is
 * saved and restored.
 */
const [WHEEL_ON, WHEEL_AS_BEFORE] = ['\x1b[?1007s\x1b[?1007h', '\x1b[?1007r'];
const EMPTY_SCREEN = '\x1b[H\x1b[2J';

/** Draws a view on the terminal's alternate screen with Ink. Restores the terminal also after a crash and after SIGQUIT. */
export function openScreen(view: ReactNode, { stdin, stdout, color, onLost }: ScreenOptions) {
  setColors(color);
  const hadNoSize = giveSize(stdout);
  const instance = render(view, {
    stdin: stdin as NodeJS.ReadStream,
    stdout: stdout as NodeJS.WriteStream,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: MAX_FPS,
    exitOnCtrlC: false,
    patchConsole: false,
    // The caller has checked that there is a terminal. By default, Ink draws nothing if the variable CI is set.
    interactive: true,
  });
  stdout.write(WHEEL_ON);
  let isOpen = true;
  const restore = () => {
    if (!isOpen) return;
    isOpen = false;
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    process.off('SIGQUIT', quit);
    process.off('SIGWINCH', resized);
    stdout.write(WHEEL_AS_BEFORE);
    instance.unmount();
    // Ink turns raw mode off in a microtask, which does not run any more after a crash or a signal.
    stdin.setRawMode?.(false);
    stdin.pause();
  };
  /** Ends the process like SIGQUIT does by default, but with the terminal restored. */
  const quit = () => {
    restore();
    // Libraries of Ink listen too. Without listeners, the signal ends the process at once.
    process.removeAllListeners('SIGQUIT');
    process.kill(process.pid, 'SIGQUIT');
  };
  /** Draws everything again. A resize moves or drops lines, also if the size is the same again when the signal comes. */
  const redraw = () => {
    giveSize(stdout);
    stdout.write(EMPTY_SCREEN);
    instance.clear();
    // Ink draws when the stream reports a resize. The stream does not report a size that has returned to what it was.
    (stdout as NodeJS.WriteStream).emit('resize');
  };
  // While the job is suspended, the terminal belongs to the shell, and is not in raw mode.
  const resized = () => {
    if (stdin.isRaw !== false) redraw();
  };
  process.on('exit', restore);
  // Also runs after a crash, before its message is printed: the message would disappear with the alternate screen.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('SIGQUIT', quit);
  process.on('SIGWINCH', resized);
  (stdout as NodeJS.WriteStream).on('error', onLost);
  // Ink starts where the cursor is, which is the first line only if the frame fills the screen.
  if (hadNoSize) redraw();
  return {
    /** Returns the terminal to the shell as it was. */
    close: restore,
    /** Rejects if a component throws. Resolves when the screen is closed. */
    ended: instance.waitUntilExit(),
  };
}

/** Draws with the terminal's own 16 colours, or without colours. */
export function setColors(color: boolean): void {
  chalk.level = color ? 1 : 0;
}

/** Sets a size for a terminal that reports 0 columns or rows, such as one of a container. Returns true if it had none. */
export function giveSize(terminal: World['stdout']): boolean {
  const hadNoSize = !terminal.columns || !terminal.rows;
  terminal.columns ||= 80;
  terminal.rows ||= 24;
  return hadNoSize;
}
