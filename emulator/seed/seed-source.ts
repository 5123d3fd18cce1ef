import path from 'node:path';
import type { Log } from '../../shared/ports/log.ts';
import type { ReadSeed, Seed } from './seed-schema.ts';

export interface SeedRead {
  seed: ReadSeed;
  /** Converts an error from applying the seed into one that names its line, if it has one. */
  explain: (error: unknown) => unknown;
}

/** The source of the emulator's seed: a file, which may change, or an object. */
export interface SeedSource {
  /** Reads the current seed. @throws SeedError for a file, or ServiceError `validation_failed` for an object. */
  read(): Promise<SeedRead>;
  /** Calls back whenever the file has changed. @returns a function that stops watching. */
  watch(onChange: () => Promise<void>, log: Log): Promise<() => Promise<void>>;
}

/** Creates the source of a seed. @param seed a path, or the content itself. */
export function seedSource(seed: string | Seed): SeedSource {
  return typeof seed === 'string' ? fileSource(path.resolve(seed)) : objectSource(seed);
}

// The code that reads seeds is imported with the first seed: the schemas here, and YAML for a file.
function objectSource(seed: Seed): SeedSource {
  return {
    async read() {
      const { readSeed } = await import('./seed-schema.ts');
      return { seed: readSeed(seed), explain: (error) => error };
    },
    watch: async () => async () => undefined,
  };
}

/** Long enough for an editor to finish writing, and too short for a developer to notice. */
const SETTLED_MS = 50;

function fileSource(file: string): SeedSource {
  return {
    async read() {
      const { readSeedFile } = await import('./read-seed.ts');
      return readSeedFile(file);
    },
    async watch(onChange, log) {
      const { watch } = await import('chokidar');
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
