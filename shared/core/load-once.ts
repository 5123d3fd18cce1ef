/** A resource that is loaded when it is first needed, once for all callers. After a failure, the next caller tries again. */
export interface LoadedOnce<T> {
  /** Loads the resource. @throws the error of `load`; or Error if the package's files were replaced while it ran. */
  get(): Promise<T>;
  /** For closing the resource: waits for a load in progress and returns the resource, or null if there is none. Never rejects. */
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
    // `get` has already reported the failure to its caller.
    loaded: async () => loading?.catch(() => null) ?? null,
  };
}

/** Explains a missing module. Names of the package's files contain a hash of the content, so installing another version removes them. */
function explained(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isGone
    ? new Error('the package was replaced while this process ran: restart the process', { cause: error })
    : error;
}
