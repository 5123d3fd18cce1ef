import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import type { RequestError, Server } from './send.ts';

/** Calls a server, such as `ask('GET /domains')`. @throws RequestError */
export type Ask = <T>(call: string, body?: object, signal?: AbortSignal) => Promise<T>;

export interface Resource<T> {
  /**
   * The latest value. For a new path, the previous value stays until the first response arrives. Null before the first response and after
   * an error.
   */
  value: T | null;
  error: RequestError | null;
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: RequestError;
  }
}

/** The interval at which a visible page requests its data again. */
const POLL_MS = 10_000;

/** The cache of the data that the page shows. It drops all other data, so that a new session does not show the data of an earlier one. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      networkMode: 'always',
      refetchInterval: POLL_MS,
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
      retry: false,
      staleTime: POLL_MS,
    },
  },
});

let isStale = false;
let isReading = false;

/** Requests all data of the page again. Calls during the requests cause one further round afterwards. */
export async function refresh(): Promise<void> {
  isStale = true;
  if (isReading) return;
  isReading = true;
  while (isStale) {
    isStale = false;
    // Cancels first requests, which may have begun before the change, so that they are repeated. `invalidateQueries` alone repeats only
    // later ones.
    await cache.cancelQueries({ predicate: (query) => query.state.data === undefined && !query.isStatic() });
    await cache.invalidateQueries();
  }
  isReading = false;
}

/** Requests a path, and requests it again whenever the page's data may be out of date. @param path null to request nothing. */
export function useReading<T>(ask: Ask, { base }: Server, path: string | null): Resource<T> {
  const { data, error } = useQuery<T>({
    queryKey: [base, path],
    queryFn: ({ signal }) => ask<T>(`GET ${path}`, undefined, signal),
    enabled: path !== null,
    placeholderData: keepPreviousData,
  });
  if (path === null || data === undefined) return { value: null, error };
  return error === null || isUnreachable(error) ? { value: data, error: null } : { value: null, error };
}

/** Returns whether the server is unreachable. The page then keeps its content. */
export function isUnreachable({ status }: RequestError): boolean {
  return status === 0;
}
