import { watch } from 'chokidar';
import { readSeedFile } from './read-seed.ts';
import { readSeed, type Seed } from './seed-schema.ts';
import type { SeedSource } from './seed-source.ts';

/** Long enough for an editor to finish writing, and too short for a developer to notice. */
const SETTLED_MS = 50;

/** Creates the source of a seed file, which is watched for changes. @param file its absolute path. */
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
      // An editor that replaces a file removes it first.
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
