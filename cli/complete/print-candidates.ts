import { plainText, withoutSecrets } from '../output/plain-text.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';
import type { World } from '../settings/world.ts';
import { candidatesFor } from './candidates.ts';

/** Runs the hidden command of the completion scripts. Prints one candidate per line, with a tab and its description. Never fails. */
export async function printCandidates(words: readonly string[], config: CliConfig, world: World): Promise<0> {
  try {
    for (const { value, about = '' } of await candidatesFor(words, config, world)) {
      // The values come from a server, so only those are offered that a shell reads as one plain word.
      if (/^[\w@%+=:,./-]+$/.test(value))
        world.stdout.write(`${value}\t${plainText(withoutSecrets(about))}\n`);
    }
  } catch {
    // Errors are ignored. For example, the command itself reports an unreadable config file.
  }
  return 0;
}
