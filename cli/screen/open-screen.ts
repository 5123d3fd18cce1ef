import chalk from 'chalk';
import { render } from 'ink';
import type { ReactNode } from 'react';
import type { World } from '../settings/world.ts';

interface ScreenOptions extends Pick<World, 'stdin' | 'stdout'> {
  color: boolean;
  /** Called when the terminal is gone, so that the view is no longer visible. */
  onLost(): void;
}

const MAX_FPS = 60;
/**
 * Alternate scroll mode (1007): the terminal sends arrow keys for the mouse wheel. Many terminals enable this mode by default, so the
 * earlier setting is saved and later restored.
 */
const [WHEEL_ON, WHEEL_AS_BEFORE] = ['\x1b[?1007s\x1b[?1007h', '\x1b[?1007r'];
const EMPTY_SCREEN = '\x1b[H\x1b[2J';

/** Draws a view on the terminal's alternate screen with Ink. Restores the terminal when the view closes, also after a crash or SIGQUIT. */
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
    // Draw even if the variable CI is set, unlike Ink's default, because the caller has checked that there is a terminal.
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
  /** Restores the terminal, then ends the process as SIGQUIT does by default. */
  const quit = () => {
    restore();
    // Remove the listeners of Ink's libraries too. Without listeners, the signal ends the process at once.
    process.removeAllListeners('SIGQUIT');
    process.kill(process.pid, 'SIGQUIT');
  };
  /** Draws the whole screen again. A resize moves or drops lines, even if the terminal has its old size again when the signal arrives. */
  const redraw = () => {
    giveSize(stdout);
    stdout.write(EMPTY_SCREEN);
    instance.clear();
    // Ink draws again when the stream emits `resize`. The stream does not emit it if the terminal has its old size again.
    (stdout as NodeJS.WriteStream).emit('resize');
  };
  // Do not draw while the job is suspended: the terminal then belongs to the shell and is not in raw mode.
  const resized = () => {
    if (stdin.isRaw !== false) redraw();
  };
  process.on('exit', restore);
  // After a crash, restore the terminal before Node prints the error. Otherwise the error disappears with the alternate screen.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('SIGQUIT', quit);
  process.on('SIGWINCH', resized);
  (stdout as NodeJS.WriteStream).on('error', onLost);
  // Ink begins to draw at the cursor. Without a known size, that may not be the first line, so draw everything again.
  if (hadNoSize) redraw();
  return {
    /** Restores the terminal for the shell. */
    close: restore,
    /** A promise that resolves when the screen is closed, and rejects if a component throws. */
    ended: instance.waitUntilExit(),
  };
}

/** Makes Ink draw with the terminal's own 16 colours, or without colours. */
export function setColors(color: boolean): void {
  chalk.level = color ? 1 : 0;
}

/** Sets a default size for a terminal that reports 0 columns or rows, such as a container's. Returns true if the terminal had no size. */
export function giveSize(terminal: World['stdout']): boolean {
  const hadNoSize = !terminal.columns || !terminal.rows;
  terminal.columns ||= 80;
  terminal.rows ||= 24;
  return hadNoSize;
}
