import path from 'node:path';
import type { Log } from '../../shared/ports/system.ts';
import type { ReadSeed, Seed } from './seed-schema.ts';

export interface SeedRead {
  seed: ReadSeed;
  /** Adds the line in the seed file to an error that occurred when the seed was applied. A seed without a file has no lines. */
  explain: (error: unknown) => unknown;
}

/** The source of the emulator's seed: a file, which may change, or an object. */
export interface SeedSource {
  /** Reads the current seed. @throws SeedError for a file, or ServiceError `validation_failed` for an object. */
  read(): Promise<SeedRead>;
  /** Calls `onChange` whenever the file has changed. @returns a function that stops watching. */
  watch(onChange: () => Promise<void>, log: Log): Promise<() => Promise<void>>;
}

/** Creates the source of a seed. @param seed the path of a file, or the content of a seed. */
export async function seedSource(seed: string | Seed): Promise<SeedSource> {
  // Lazy: zod, YAML and chokidar would delay the start without a seed by 20 ms.
  const { fileSource, objectSource } = await import('./seed-file.ts');
  return typeof seed === 'string' ? fileSource(path.resolve(seed)) : objectSource(seed);
}
