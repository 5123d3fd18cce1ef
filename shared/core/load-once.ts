/** A resource that is loaded when it is first needed, once for all callers. After a failure, the next caller tries again. */
export interface LoadedOnce<T> {
  /**
   * Loads the resource. @throws the error of `load`, or an Error that asks for a restart if the package's files were replaced while the
   * process ran.
   */
  get(): Promise<T>;
  /**
   * Returns the resource, so that the caller can close it; waits for a load in progress. Returns null if nothing was loaded. Never rejects.
   */
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
 * Explains the error for a missing module. File names in the package contain a hash of the content, so installing another version removes
 * the files of a running process.
 */
function explained(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isGone
    ? new Error('the package was replaced while this process ran: restart the process', { cause: error })
    : error;
}
