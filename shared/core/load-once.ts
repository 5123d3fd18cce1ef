/** What is loaded when it is first needed, once for all who ask. A failure is told to those who wait, and forgotten: the next one tries again. */
export interface LoadedOnce<T> {
  /** @throws what `load` rejects with; Error where a part of this package is not on the disk any more. */
  get(): Promise<T>;
  /** For whoever closes it: what has been loaded, or is about to be; null where that is nothing. It never rejects. */
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
    // Why it failed was told to whoever asked for it.
    loaded: async () => loading?.catch(() => null) ?? null,
  };
}

/** The names of a package's parts change with their content: after another version was put in its place, ours are gone. */
function explained(error: unknown): unknown {
  const is_gone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return is_gone
    ? new Error('the package was changed while this ran: start it again', { cause: error })
    : error;
}
