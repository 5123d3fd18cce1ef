import { useEffect, useRef, useState } from 'react';
import { useRevision } from './revision.ts';
import { RequestError } from './send.ts';

/** Calls a server, such as `ask('GET /domains')`. @throws RequestError */
export type Ask = <T>(call: string, body?: object, signal?: AbortSignal) => Promise<T>;

export interface Resource<T> {
  /** The latest value, which stays until the first value of a new path arrives. Null before the first one. */
  value: T | null;
  error: RequestError | null;
}

interface Reader {
  /** Reads again. During a read, any number of calls cause one more read afterwards. */
  readAgain(): void;
  stop(): void;
}

/** Reads a path, and again whenever the page's data may be out of date. @param path null reads nothing. */
export function useReading<T>(ask: Ask, path: string | null): Resource<T> {
  const [resource, setResource] = useState<Resource<T>>({ value: null, error: null });
  const revision = useRevision();
  const reader = useRef<Reader | null>(null);

  useEffect(() => {
    if (path === null) {
      setResource({ value: null, error: null });
      return undefined;
    }
    const made = createReader<T>(ask, path, (next) =>
      setResource((before) => (isUnreachable(next) && before.value !== null ? before : next)),
    );
    reader.current = made;
    made.readAgain();
    return made.stop;
  }, [ask, path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a revision is the only reason to read again
  useEffect(() => reader.current?.readAgain(), [revision]);
  return resource;
}

function createReader<T>(ask: Ask, path: string, onRead: (resource: Resource<T>) => void): Reader {
  const aborter = new AbortController();
  const { signal } = aborter;
  let reading = false;
  let asked = false;

  async function read(): Promise<void> {
    reading = true;
    while (asked && !signal.aborted) {
      asked = false;
      const resource = await readOnce<T>(ask, path, signal);
      if (!signal.aborted) onRead(resource);
    }
    reading = false;
  }

  return {
    readAgain() {
      asked = true;
      if (!reading) void read();
    },
    stop: () => aborter.abort(),
  };
}

/** True if the server is unreachable. The page then keeps its content. */
export function isUnreachable({ error }: Resource<unknown>): boolean {
  return error?.status === 0;
}

/** Reads a path once. @param signal aborts the request. */
export async function readOnce<T>(ask: Ask, path: string, signal?: AbortSignal): Promise<Resource<T>> {
  try {
    return { value: await ask<T>(`GET ${path}`, undefined, signal), error: null };
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    return { value: null, error: thrown };
  }
}
