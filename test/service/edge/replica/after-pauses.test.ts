import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { afterPauses } from '../../../../service/edge/replica/after-pauses.ts';
import type { FoundRoute } from '../../../../shared/core/edge/edge-route.ts';

const SOON = { interval: 5 };

describe('an edge process that was paused', () => {
  /** A source of routes over a replica whose beats a test sets. The clock does not move unless a test moves it. */
  function world() {
    const clock = { at: 0, now: () => clock.at };
    const state = { beats: 7, refreshed: 0, asked: 0, route: 'held' as FoundRoute };
    const find = afterPauses(
      () => state.route,
      {
        beats() {
          state.asked += 1;
          return state.beats;
        },
        refresh() {
          state.refreshed += 1;
        },
      },
      [clock],
    );
    return { clock, state, find };
  }

  /** Returns whether a promise has settled. */
  function watch(found: unknown): { isSettled: boolean; value: Promise<unknown> } {
    const watched = { isSettled: false, value: Promise.resolve(found) };
    void watched.value.then(() => {
      watched.isSettled = true;
    });
    return watched;
  }

  it('finds routes at once while it runs without a pause', () => {
    const { clock, state, find } = world();
    for (let n = 0; n < 10; n++) {
      clock.at += 2_000;
      expect(find('a.com')).toBe('held');
    }
    expect([state.asked, state.refreshed]).toEqual([0, 0]);
  });

  it('makes requests wait until the replica was up to date twice, and then serves what the replica has', async () => {
    const { clock, state, find } = world();
    clock.at += 2_001;
    const found = ['a.com', 'b.com'].map((name) => watch(find(name)));
    // The read of the first beat may have begun before the pause.
    state.beats += 1;
    const asked = state.asked;
    await expect.poll(() => state.asked, SOON).toBeGreaterThan(asked + 2);
    expect(found.map(({ isSettled }) => isSettled)).toEqual([false, false]);
    state.route = null;
    state.beats += 1;
    expect(await Promise.all(found.map(({ value }) => value))).toEqual([null, null]);
    expect(state.refreshed).toBe(1);
    expect(find('a.com')).toBeNull();
  });

  it('notices the pause by its timer too, before a request arrives', async () => {
    const { clock, state, find } = world();
    clock.at += 60_000;
    await expect.poll(() => state.asked, SOON).toBeGreaterThan(0);
    expect(find('a.com')).toBeInstanceOf(Promise);
    state.beats += 2;
    await expect.poll(() => state.refreshed, SOON).toBe(1);
    expect(find('a.com')).toBe('held');
  });

  it('a closed edge process runs no timer', () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { find } = world();
    expect(vi.getTimerCount()).toBe(1);
    find.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('serves what the replica has after a bounded wait, if the source is away', async () => {
    const { clock, state, find } = world();
    clock.at += 3_000;
    expect(await find('a.com')).toBe('held');
    expect(state.refreshed).toBe(1);
    expect(find('a.com')).toBe('held');
  });

  it('waits again if it is paused again during its wait', async () => {
    const { clock, state, find } = world();
    clock.at += 3_000;
    const first = watch(find('a.com'));
    state.beats += 1;
    clock.at += 3_000;
    const second = watch(find('a.com'));
    state.beats += 1;
    expect(await first.value).toBe('held');
    const asked = state.asked;
    await expect.poll(() => state.asked, SOON).toBeGreaterThan(asked + 2);
    expect(second.isSettled).toBe(false);
    expect(find('a.com')).toBeInstanceOf(Promise);
    state.beats += 1;
    expect(await second.value).toBe('held');
    expect(find('a.com')).toBe('held');
  });

  it('finds routes as before the pause if its replica cannot be read meanwhile', async () => {
    const clock = { at: 0, now: () => clock.at };
    const broken = () => {
      throw new Error('the file is damaged');
    };
    const find = afterPauses(() => 'held', { beats: () => 1, refresh: broken }, [clock]);
    const unreadable = afterPauses(() => 'held', { beats: broken, refresh: broken }, [clock]);
    clock.at += 3_000;
    expect(await Promise.all([find('a.com'), unreadable('a.com')])).toEqual(['held', 'held']);
    expect(find('a.com')).toBe('held');
  });

  it('measures a pause by the clock that shows the longest time, because one of them may stop while a machine sleeps', () => {
    const stopped = { now: () => 5 };
    const clock = { at: 0, now: () => clock.at };
    const find = afterPauses(() => 'held', { beats: () => 0, refresh: () => undefined }, [stopped, clock]);
    expect(find('a.com')).toBe('held');
    clock.at += 2_001;
    expect(find('a.com')).toBeInstanceOf(Promise);
  });
});
