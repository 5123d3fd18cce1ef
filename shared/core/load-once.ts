/** A resource that is loaded when it is first needed, once for all callers. After a failure, the next caller tries again. */
export interface LoadedOnce<T> {
  /** Loads the resource. @throws the error of `load`. Throws Error if the package's files were replaced while the process ran. */
  get(): Promise<T>;
  /** Waits for a load in progress and returns the resource, so that it can be closed. Returns null if it was not loaded. Never rejects. */
  loaded(): Promise<T | null>;
}

export function loadOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  let loading: Promise<T> | null = null;

  return {
    get() {
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw explained(error);
      });
      return loading;
    },
    // The caller of `get` has already received the error.
    loaded: async () => loading?.catch(() => null) ?? null,
  };
}

/**
 * Explains why a module is missing. The names of the package's files contain a hash of their content, so installing another version removes
 * the old files.
 */
function explained(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isGone
    ? new Error('the package was replaced while this process ran: restart the process', { cause: error })
    : error;
}
