import { useEffect, useRef, useState } from 'react';
import { ask, Refusal } from './ask.ts';
import { useLive } from './live.ts';

export interface Answer<T> {
  /** The latest; of the path before, until that of the new one is there. Null before the first. */
  value: T | null;
  refusal: Refusal | null;
}

interface Reader {
  /** Reads again; while it is being read, once more afterwards, however often it is asked. */
  poke(): void;
  stop(): void;
}

/** What a path of the control surface answers, kept fresh as the emulator changes. @param path null asks nothing. */
export function useAnswer<T>(path: string | null): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, refusal: null });
  const { beat } = useLive();
  const reader = useRef<Reader | null>(null);

  useEffect(() => {
    if (path === null) {
      setAnswer({ value: null, refusal: null });
      return undefined;
    }
    const made = createReader<T>(path, (next) =>
      setAnswer((before) => (isAway(next) && before.value !== null ? before : next)),
    );
    reader.current = made;
    made.poke();
    return made.stop;
  }, [path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a beat is all that it waits for
  useEffect(() => reader.current?.poke(), [beat]);
  return answer;
}

function createReader<T>(path: string, onAnswer: (answer: Answer<T>) => void): Reader {
  const aborter = new AbortController();
  const { signal } = aborter;
  let reading = false;
  let asked = false;

  async function read(): Promise<void> {
    reading = true;
    while (asked && !signal.aborted) {
      asked = false;
      const answer = await readOnce<T>(path, signal);
      if (!signal.aborted) onAnswer(answer);
    }
    reading = false;
  }

  return {
    poke() {
      asked = true;
      if (!reading) void read();
    },
    stop: () => aborter.abort(),
  };
}

/** Whether the emulator is away: what was shown stays then, and the bar says that it is. */
export function isAway({ refusal }: Answer<unknown>): boolean {
  return refusal?.status === 0;
}

/** @param signal ends the request. */
export async function readOnce<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  try {
    return { value: await ask<T>(`GET ${path}`, undefined, signal), refusal: null };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { value: null, refusal: thrown };
  }
}
