import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns, NoTurnError } from '../../shared/adapters/turns.ts';
import type { Slot } from '../../shared/core/fairness/fair-slots.ts';
import { isStoreUnavailable } from '../../shared/store/unavailable.ts';

const WAIT_MS = 5_000;

/** Waits for a turn. Returns `taken` if the caller got a slot; otherwise whether its own party or others had the slots. */
async function outcomeOf(turn: Promise<Slot>): Promise<'taken' | 'own' | 'others'> {
  try {
    await turn;
    return 'taken';
  } catch (error) {
    if (!(error instanceof NoTurnError)) throw error;
    return error.isOwn ? 'own' : 'others';
  }
}

describe('callers take turns to use a slot', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const turnsUnderTest = (queuedPerPartyMax = 10) =>
    createTurns({ slotsMax: 1, mayTake: () => true, queuedMax: 10, queuedPerPartyMax }, WAIT_MS);

  test('a caller gets a free slot immediately', () => {
    expect(turnsUnderTest().take('a')).not.toBeInstanceOf(Promise);
  });

  test('a caller that does not want to wait leaves nothing in the queue', async () => {
    const turns = turnsUnderTest(1);
    const first = turns.takeIfFree('a') as Slot;
    expect(turns.takeIfFree('b')).toBeNull();
    const second = Promise.resolve(turns.take('b'));
    turns.give(first);
    expect(await outcomeOf(second)).toBe('taken');
  });

  test('a waiting caller gets a returned slot, and its timeout then has no effect', async () => {
    const turns = turnsUnderTest();
    const first = (await turns.take('a')) as Slot;
    const second = Promise.resolve(turns.take('b'));
    turns.give(first);
    expect(await outcomeOf(second)).toBe('taken');
    await vi.advanceTimersByTimeAsync(2 * WAIT_MS);
    expect(turns.take('c')).toBeInstanceOf(Promise);
  });

  test("a caller is refused after the timeout, and the error says whether the caller's own party has the slots", async () => {
    const turns = turnsUnderTest();
    await turns.take('a');
    const outcomes = ['a', 'b'].map((party) => outcomeOf(Promise.resolve(turns.take(party))));
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await Promise.all(outcomes)).toEqual(['own', 'others']);
  });

  test('a slot goes to the next caller if the first caller in the queue has left', async () => {
    const turns = turnsUnderTest();
    const first = (await turns.take('a')) as Slot;
    let leave = (): void => undefined;
    const left = outcomeOf(
      Promise.resolve(
        turns.take('b', (onLeft) => {
          leave = onLeft;
        }),
      ),
    );
    const next = outcomeOf(Promise.resolve(turns.take('c')));
    leave();
    expect(await left).toBe('others');
    turns.give(first);
    expect(await next).toBe('taken');
  });

  test('a caller is refused immediately if the queue is full, with the error of a busy database', async () => {
    const turns = turnsUnderTest(0);
    await turns.take('a');
    expect(() => turns.take('a')).toThrow(NoTurnError);
    expect(isStoreUnavailable(new NoTurnError(true))).toBe(true);
  });
});
