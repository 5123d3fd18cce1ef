import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { World } from '../settings/world.ts';
import { usageError } from './cli-error.ts';
import { declined, interrupted } from './interrupted.ts';

/** Questions to a person, which need a terminal on both sides: nothing waits for an answer that cannot come. */
export function canAsk({ stdin, stderr }: World): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks before something is destroyed; `--yes` has answered already. */
export async function confirm(question: string, yes: boolean, world: World): Promise<void> {
  if (yes) return;
  if (!canAsk(world)) throw usageError(`${question} There is no terminal to ask on.`, 'Add --yes to do it.');
  const answer = await ask(`${question} [y/N] `, world, { hidden: false });
  if (!/^y(es)?$/i.test(answer.trim())) throw declined();
}

/** Asks for something that must not stand on the screen. */
export function askSecret(question: string, world: World): Promise<string> {
  return ask(question, world, { hidden: true });
}

/** All of stdin. */
export function readStdin({ stdin }: World): Promise<string> {
  return text(stdin);
}

async function ask(question: string, world: World, { hidden }: { hidden: boolean }): Promise<string> {
  // readline echoes what is typed: a hidden answer goes to a stream that drops it.
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) world.stderr.write(String(chunk));
      done();
    },
  });
  if (hidden) world.stderr.write(question);
  const lines = createInterface({ input: world.stdin, output, terminal: true });
  const cancelled = new AbortController();
  lines.on('SIGINT', () => cancelled.abort());
  lines.on('close', () => cancelled.abort());
  // On Ctrl-Z readline would stop this process alone, and after fg leave stdin paused, which ends the process.
  lines.on('SIGTSTP', () => {
    world.stdin.setRawMode?.(false);
    world.stopJob();
    world.stdin.setRawMode?.(true);
    if (hidden) world.stderr.write(question);
    lines.prompt(true);
  });
  try {
    return await lines.question(hidden ? '' : question, { signal: cancelled.signal });
  } catch (error) {
    if (cancelled.signal.aborted) throw interrupted();
    throw error;
  } finally {
    lines.close();
    if (hidden) world.stderr.write('\n');
  }
}
