import type { ErrorCode } from '../../shared/core/errors.ts';
import { exampleError } from '../../shared/schema/openapi/error-example.ts';

/** An error code that the next matching requests respond with, whatever they ask for (`docs/emulator.md`). */
export interface ForcedError {
  code: ErrorCode;
  /** The error applies to this path and to all paths below it; to every path if omitted. */
  path?: string | undefined;
  times: number;
}

export interface ForcedErrorQueue {
  force(error: ForcedError): void;
  clear(): void;
  list(): readonly ForcedError[];
  /** Throws the next error forced for this path, if any, and counts it. @throws ServiceError */
  throwNext(path: string): void;
}

export function createForcedErrors(): ForcedErrorQueue {
  let waiting: ForcedError[] = [];
  return {
    force(error) {
      waiting.push({ ...error });
    },
    clear() {
      waiting = [];
    },
    list: () => waiting,
    throwNext(path) {
      const error = waiting.find((each) => covers(each.path ?? '/', path));
      if (error === undefined) return;
      error.times -= 1;
      waiting = waiting.filter(({ times }) => times > 0);
      throw exampleError(error.code);
    },
  };
}

/** True if the forced path, with or without a trailing slash, is the path or a parent of it. */
function covers(forced: string, path: string): boolean {
  const start = forced.replace(/\/$/, '');
  return path === start || path.startsWith(`${start}/`);
}
