import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { boolean } from '@oclif/core/flags';
import type { World } from '../settings/world.ts';
import { answeredNo, interrupted, usageError } from './cli-error.ts';

/**
 * Returns true if stdin and stderr are terminals. If either is not a terminal, the command must not ask, because the user cannot see the
 * question or reply.
 */
export function canAsk({ stdin, stderr }: World): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/**
 * Asks for confirmation, unless `--yes` was given.
 *
 * @throws CliError `usage` without a terminal, `interrupted` for any reply other than yes.
 */
export async function confirm(question: string, yes: boolean, world: World): Promise<void> {
  if (yes) return;
  if (!canAsk(world)) throw usageError(`${question} Cannot ask without a terminal.`, 'Add --yes to confirm.');
  const answer = await ask(`${question} [y/N] `, world, { hidden: false });
  if (!/^y(es)?$/i.test(answer.trim())) throw answeredNo();
}

/** Asks for a secret, without showing the typed characters. */
export function askSecret(question: string, world: World): Promise<string> {
  return ask(question, world, { hidden: true });
}

async function ask(question: string, world: World, { hidden }: { hidden: boolean }): Promise<string> {
  // readline writes the typed characters to its output stream, so for a secret this stream discards everything.
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
  // On Ctrl-Z, readline would stop only this process. It would also leave stdin paused after `fg`, which would end the process.
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

/** The flag `--yes`, which every destructive command has. */
export const yesFlag = { yes: boolean({ char: 'y', summary: 'Do not ask for confirmation' }) };
