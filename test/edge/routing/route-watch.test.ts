import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FoundRoute, RouteSource } from '../../../shared/core/edge/edge-route.ts';
import { watchRoutes } from '../../../shared/edge/routing/route-watch.ts';
import type { VisitorRequest } from '../../../shared/edge/visitor-request.ts';
import { route } from '../edge-under-test.ts';

const EVERY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a watch of the requests that the test adds, and records how the watch ends each request. */
function watched(findRoute: RouteSource) {
  const ended: string[] = [];
  const requests: VisitorRequest[] = [];
  const watch = watchRoutes({ underWay: () => requests, findRoute, everyMs: EVERY_MS });
  return {
    ended,
    stop: watch.stop,
    add(
      host: string,
      routeWasAsked: boolean,
      revoke = (status: number) => void ended.push(`${host} ${status}`),
    ) {
      const facts = { host, domain_id: 'dom_1', routeWasAsked, headers: [] };
      const wire = { drop: () => ended.push(`${host} dropped`) };
      requests.push({ facts, revoke, wire } as unknown as VisitorRequest);
    },
    look: () => vi.advanceTimersByTimeAsync(EVERY_MS),
  };
}

it('the route watch checks routes in memory while lookups hang, and limits concurrent lookups', async () => {
  let asked = 0;
  let live: FoundRoute = route(null);
  const { add, ended, look, stop } = watched((host) => {
    if (host === 'live') return live;
    asked += 1;
    return new Promise(() => undefined);
  });
  for (let n = 0; n < 2_000; n += 1) add(`dom_${n}`, true);
  add('live', false);
  await look();
  expect(ended).toEqual([]);
  live = null;
  await look();
  expect(ended).toEqual(['live 404']);
  expect(asked).toBe(16);
  stop();
});

it('the route watch looks up every hostname once for all of its requests', async () => {
  const asked: string[] = [];
  const { add, ended, look, stop } = watched(async (host) => {
    asked.push(host);
    return host === 'held' ? 'held' : host === 'well' ? route(null) : null;
  });
  for (let n = 0; n < 100; n += 1) add(`gone_${n}`, true);
  for (const host of ['held', 'well', 'held']) add(host, true);
  await look();
  expect(asked).toHaveLength(102);
  expect(ended).toHaveLength(102);
  expect(ended.filter((each) => each === 'held 451')).toHaveLength(2);
  expect(ended).not.toContainEqual(expect.stringContaining('well'));
  stop();
});

it.each([true, false])(
  'the route watch drops a request whose response cannot be written, and ends the others (looked up: %s)',
  async (asked) => {
    const { add, ended, look, stop } = watched(asked ? async () => null : () => null);
    add('broken', asked, () => {
      throw new Error('cannot be written');
    });
    add('other', asked);
    await look();
    expect(ended).toEqual(['broken dropped', 'other 404']);
    await look();
    expect(ended).toHaveLength(4);
    stop();
  },
);

it('the route watch does not end requests whose route cannot be read, in memory or by a lookup', async () => {
  const { add, ended, look, stop } = watched((host) => {
    if (host === 'gone') return null;
    if (host === 'memory') throw new Error('cannot be read');
    return Promise.reject(new Error('the database is away'));
  });
  add('memory', false);
  add('asked', true);
  add('asked since', false);
  add('gone', false);
  await look();
  expect(ended).toEqual(['gone 404']);
  stop();
});
