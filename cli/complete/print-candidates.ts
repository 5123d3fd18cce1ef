import { plainText, withoutSecrets } from '../output/plain-text.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';
import type { World } from '../settings/world.ts';
import { candidatesFor } from './candidates.ts';

/** The hidden command that the scripts of the shells call: a candidate a line, with a tab and what it is. It never fails. */
export async function printCandidates(words: readonly string[], config: CliConfig, world: World): Promise<0> {
  try {
    for (const { value, about = '' } of await candidatesFor(words, config, world)) {
      // Only what a shell takes as one word is offered: the values come from a server.
      if (/^[\w@%+=:,./-]+$/.test(value))
        world.stdout.write(`${value}\t${plainText(withoutSecrets(about))}\n`);
    }
  } catch {
    // A config that cannot be read, say: the command itself will tell.
  }
  return 0;
}
