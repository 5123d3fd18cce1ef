import type { ErrorCode } from '../../shared/core/errors.ts';
import { exampleError } from '../../shared/schema/openapi/error-example.ts';

/** An API error that the next matching requests get as their response (`docs/emulator.md`). */
export interface ForcedError {
  code: ErrorCode;
  /** The error applies to requests of this path and all paths below it. If omitted, it applies to every path. */
  path?: string | undefined;
  times: number;
}

export interface ForcedErrorQueue {
  force(error: ForcedError): void;
  clear(): void;
  list(): readonly ForcedError[];
  /** If an error is forced for this path, throws the error and reduces its remaining count. @throws ServiceError */
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

/** Returns true if the forced path equals the request's path or is a parent of it. A trailing slash makes no difference. */
function covers(forced: string, path: string): boolean {
  const start = forced.replace(/\/$/, '');
  return path === start || path.startsWith(`${start}/`);
}
