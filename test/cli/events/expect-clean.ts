import { expect } from 'vitest';
import type { Terminal } from './terminal.ts';

/** Expects that the shell has its terminal back: the normal screen, a cursor, echo, no bracketed paste, and nothing of the event view. */
export async function expectClean(terminal: Terminal, exit: number): Promise<void> {
  const screen = await terminal.ended();
  expect(screen).toContain(`exit=${exit}\n`);
  expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
  expect(screen).not.toMatch(/● connected|answered|\[\?/);
  terminal.type('clear; stty -a; cat -v');
  terminal.press('Enter');
  expect(await terminal.until(/ icanon .*\n(.*\n)/)).toMatch(/^isig icanon iexten echo /m);
  terminal.paste('pasted plainly');
  terminal.press('Enter');
  await terminal.until(/^pasted plainly\n(.*\n)*pasted plainly$/m);
  terminal.press('C-c');
}
