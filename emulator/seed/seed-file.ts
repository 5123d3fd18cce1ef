import { watch } from 'chokidar';
import { readSeedFile } from './read-seed.ts';
import { readSeed, type Seed } from './seed-schema.ts';
import type { SeedSource } from './seed-source.ts';

/** How long the file must stay unchanged before it is read: an editor needs some time to finish writing. */
const SETTLED_MS = 50;

/** Creates the source of a seed that is in a file, which can be watched for changes. @param file the file's absolute path. */
export function fileSource(file: string): SeedSource {
  return {
    read: async () => readSeedFile(file),
    async watch(onChange, log) {
      const watcher = watch(file, {
        ignoreInitial: true,
        awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: SETTLED_MS / 2 },
      });
      let turn = Promise.resolve();
      const changed = () => {
        turn = turn.then(onChange).catch((error: unknown) => {
          log.warn({ error }, `${file} was not applied, and nothing changed:`);
        });
      };
      // Some editors remove the file and write a new one, so handle an added file too.
      watcher.on('add', changed).on('change', changed);
      watcher.on('error', (error) => log.warn({ error }, `${file} cannot be watched`));
      await new Promise<void>((resolve) => watcher.once('ready', resolve));
      return async () => {
        await watcher.close();
        await turn;
      };
    },
  };
}

/** Creates the source of a seed that is given as an object, which does not change. */
export function objectSource(seed: Seed): SeedSource {
  return {
    read: async () => ({ seed: readSeed(seed), explain: (error) => error }),
    watch: async () => async () => undefined,
  };
}
