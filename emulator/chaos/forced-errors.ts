import type { ErrorCode } from '../../shared/core/errors.ts';
import { exampleError } from '../../shared/schema/openapi/error-example.ts';

/** The next requests that answer with a code, whatever they ask (`docs/emulator.md`). */
export interface ForcedError {
  code: ErrorCode;
  /** The path, and what is below it; every path without one. */
  path?: string | undefined;
  times: number;
}

export interface ForcedErrors {
  force(error: ForcedError): void;
  clear(): void;
  list(): readonly ForcedError[];
  /** @throws ServiceError the one that was forced for this path, and counts it. */
  meet(path: string): void;
}

export function createForcedErrors(): ForcedErrors {
  let waiting: ForcedError[] = [];
  return {
    force(error) {
      waiting.push({ ...error });
    },
    clear() {
      waiting = [];
    },
    list: () => waiting,
    meet(path) {
      const error = waiting.find((each) => covers(each.path ?? '/', path));
      if (error === undefined) return;
      error.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      throw exampleError(error.code);
    },
  };
}

/** `/v1/domains`, with a slash at its end or not, covers itself and `/v1/domains/…`. */
function covers(forced: string, path: string): boolean {
  const start = forced.replace(/\/$/, '');
  return path === start || path.startsWith(`${start}/`);
}
