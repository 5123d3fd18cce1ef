import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFreshRoutes } from '../../../service/edge/fresh-routes.ts';
import type { FoundRoute } from '../../../shared/core/edge/edge-route.ts';

describe('the edge checks that its routes are up to date', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function world(known: Record<string, FoundRoute> = {}) {
    const clock = { at: 0, now: () => clock.at };
    const asked: PromiseWithResolvers<void>[] = [];
    const routes = createFreshRoutes({
      find: (hostname) => (hostname in known ? (known[hostname] ?? null) : 'held'),
      isOwned: (hostname) => hostname !== 'unknown.com',
      catchUp() {
        const question = Promise.withResolvers<void>();
        asked.push(question);
        return question.promise;
      },
      clocks: [clock],
    });
    onTestFinished(routes.close);
    return { clock, asked, routes };
  }

  it('uses routes at once while the process runs without a pause', async () => {
    const { clock, asked, routes } = world();
    for (let n = 0; n < 10; n++) {
      clock.at += 500;
      await vi.advanceTimersByTimeAsync(500);
      expect(routes.find('a.com')).toBe('held');
    }
    expect(asked).toHaveLength(0);
  });

  it('makes requests wait after a pause of the process, until one read of the changes has ended', async () => {
    const { clock, asked, routes } = world();
    clock.at += 2001;
    const found = [routes.find('a.com'), routes.find('b.com')];
    expect(found.every((each) => each instanceof Promise)).toBe(true);
    expect(asked).toHaveLength(1);
    asked[0]?.resolve();
    expect(await Promise.all(found)).toEqual(['held', 'held']);
    expect(routes.find('a.com')).toBe('held');
  });

  it('also detects a pause with a timer', async () => {
    const { clock, asked, routes } = world();
    clock.at += 60_000;
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toHaveLength(1);
    expect(routes.find('a.com')).toBeInstanceOf(Promise);
  });

  it('reads the changes again if the connection breaks', async () => {
    const { clock, asked, routes } = world();
    clock.at += 3000;
    const found = routes.find('a.com');
    asked[0]?.reject(new Error('the connection broke'));
    await vi.advanceTimersByTimeAsync(0);
    asked[1]?.resolve();
    expect(await found).toBe('held');
  });

  it('uses routes in memory if the read takes too long, or if the database is away', async () => {
    const { clock, asked, routes } = world();
    clock.at += 3000;
    const hanging = routes.find('a.com');
    await vi.advanceTimersByTimeAsync(2000);
    expect(await hanging).toBe('held');
    expect(routes.find('a.com')).toBe('held');
    clock.at += 3000;
    const refused = routes.find('a.com');
    asked[1]?.reject(new Error('away'));
    await vi.advanceTimersByTimeAsync(0);
    asked[2]?.reject(new Error('away'));
    expect(await refused).toBe('held');
  });

  it('finds the new route of a domain after a single read for all requests', async () => {
    const known: Record<string, FoundRoute> = { 'a.com': null };
    const { asked, routes } = world(known);
    const found = [routes.find('a.com'), routes.find('a.com')];
    expect(asked).toHaveLength(1);
    known['a.com'] = 'held';
    asked[0]?.resolve();
    expect(await Promise.all(found)).toEqual(['held', 'held']);
    expect(routes.find('a.com')).toBe('held');
  });

  it('does not repeat the read at once for a domain that still has no route', async () => {
    const { asked, routes } = world({ 'a.com': null });
    const first = routes.find('a.com');
    asked[0]?.resolve();
    expect(await first).toBeNull();
    expect(await routes.find('a.com')).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('makes no read for a hostname that no domain has', () => {
    const { asked, routes } = world({ 'unknown.com': null });
    expect(routes.find('unknown.com')).toBeNull();
    expect(asked).toHaveLength(0);
  });
});
