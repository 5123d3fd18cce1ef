import path from 'node:path';
import { type FieldProblem, ServiceError, validationFailed } from '../../shared/core/errors.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { ReadSeed, Seed } from './seed-schema.ts';

/**
 * Applies one entry of a seed. Prefixes the fields of a validation error with the entry's path. @throws ServiceError `validation_failed`
 */
export async function at<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    const fields = error.status_detail?.['fields'] as FieldProblem[] | undefined;
    const named = fields ?? [{ path: '', message: `${error.message} ${error.fix}` }];
    throw validationFailed(
      ...named.map((each) => ({
        path: each.path === '' || each.path.startsWith(path) ? each.path || path : `${path}.${each.path}`,
        message: each.message,
      })),
    );
  }
}

/** The problems of a seed file, one line each: `seed.yaml:12: domains[1].status: …`. */
export class SeedError extends Error {
  readonly code: 'seed_invalid' | 'seed_unreadable';

  constructor(
    lines: readonly string[],
    { code = 'seed_invalid', cause }: { code?: SeedError['code']; cause?: unknown } = {},
  ) {
    super(lines.join('\n'), { cause });
    this.name = 'SeedError';
    this.code = code;
  }
}

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
export async function seedSource(seed: string | Seed): Promise<SeedSource> {
  // Lazy: zod, YAML and chokidar would delay the start without a seed by 20 ms.
  const { fileSource, objectSource } = await import('./seed-file.ts');
  return typeof seed === 'string' ? fileSource(path.resolve(seed)) : objectSource(seed);
}
