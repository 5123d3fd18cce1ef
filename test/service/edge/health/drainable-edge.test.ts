import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../../../service/config.ts';
import {
  type DrainableEdge,
  type DrainableEdgeOptions,
  startDrainableEdge,
} from '../../../../service/edge/health/drainable-edge.ts';
import type { StartedEdge } from '../../../../service/edge/start-edge.ts';
import type { EdgeBeat } from '../../../../shared/core/edge/edge-health.ts';

const TTL_MS = 60_000;
const LEARNED_MS = 2_000;
const ADDRESSES = { edge: { host: '127.0.0.1', port: 4443 }, edgeHttp: { host: '127.0.0.1', port: 4501 } };

const opened: DrainableEdge[] = [];
afterEach(async () => {
  for (const edge of opened.splice(0)) await edge.close(0);
});

/** An edge whose engine, replica and clock belong to the test. */
function underTest({
  isDrained = false,
  engine = 'node',
}: {
  isDrained?: boolean;
  engine?: 'node' | 'nginx';
} = {}) {
  const state = { isDrained, isReady: true, now: 0, fails: false, isBroken: false };
  const happened: string[] = [];
  const sent: EdgeBeat[] = [];
  const note = (_: object, line: string) => void happened.push(line.replace(/[:,].*/, ''));
  const started: StartedEdge = {
    addresses: ADDRESSES,
    engine: { name: engine, version: null, lacks: [] },
    ready: () => true,
    routes: () => ({ hostnames: 1, unreadable: 0, bytes: 1, ageMs: 0 }),
    close: async (graceMs, leavesNginx) => void happened.push(`closes ${graceMs} ${leavesNginx ?? false}`),
  };
  const config = readConfig({
    NAMEPLATE_EDGE_NODE: 'fra-1',
    NAMEPLATE_EDGE_IPV4: '192.0.2.1',
    NAMEPLATE_EDGE_ADDRESSES: '192.0.2.1',
    NAMEPLATE_EDGE_REGIONS: 'eu,us',
    NAMEPLATE_DNS_TTL_SECONDS: '60',
    NAMEPLATE_EDGE_ENGINE: engine,
  });
  const options = {
    config,
    context: { log: { info: note, warn: note, error: note } },
    replica: {
      complete: Promise.resolve(),
      find(kind: string, name: string) {
        if (state.isBroken) throw new Error('the disk is gone');
        return state.isDrained && kind === 'drain' && name === 'fra-1' ? {} : null;
      },
      counts: () => ({ hostnames: 1, unreadable: 0, bytes: 1 }),
      ageMs: () => 0,
    },
    isReady: () => state.isReady,
    graceMs: 12_000,
    beats: {
      send: async (beat: EdgeBeat) => {
        if (state.isBroken) throw new Error('the API is away');
        sent.push(beat);
      },
    },
    clock: { now: () => state.now },
    async start() {
      if (state.fails) throw new Error('the port is taken');
      happened.push('opens');
      return started;
    },
  };
  return {
    state,
    happened,
    sent,
    async open() {
      const edge = await startDrainableEdge(options as unknown as DrainableEdgeOptions);
      opened.push(edge);
      return edge;
    },
  };
}

test('a drained edge is not ready at once, closes after the TTL, and opens again after the drain', async () => {
  const { state, happened, open } = underTest();
  const edge = await open();
  expect([edge.ready(), edge.addresses, edge.notes()]).toEqual([true, ADDRESSES, []]);
  state.isDrained = true;
  expect([edge.ready(), edge.notes()]).toEqual([
    false,
    ['fra-1 is draining. To end this, run: nameplate service edges undrain fra-1'],
  ]);
  await edge.refresh();
  state.now += TTL_MS + LEARNED_MS - 1;
  await edge.refresh();
  expect([happened, edge.addresses]).toEqual([['opens', 'this edge drains'], ADDRESSES]);
  state.now += 1;
  await edge.refresh();
  await edge.refresh();
  expect(happened.slice(2)).toEqual(['closes 12000 false', 'this edge is drained']);
  expect([edge.addresses, edge.engine, edge.routes().hostnames]).toEqual([{}, null, 1]);
  expect(edge.notes()).toEqual(['fra-1 is drained. To end this, run: nameplate service edges undrain fra-1']);
  state.isDrained = false;
  await edge.refresh();
  expect([happened.slice(4), edge.ready()]).toEqual([['opens', 'this edge is no longer drained'], true]);
});

test('an edge that is undrained before the TTL has passed keeps its listeners, and a later drain takes the whole TTL', async () => {
  const { state, happened, open } = underTest();
  const edge = await open();
  for (const [isDrained, passedMs] of [
    [true, TTL_MS],
    [false, TTL_MS],
    [true, TTL_MS],
  ] as const) {
    state.isDrained = isDrained;
    await edge.refresh();
    state.now += passedMs;
    await edge.refresh();
  }
  expect(happened).toEqual(['opens', 'this edge drains', 'this edge drains']);
});

test('an edge that starts while it is drained opens no listeners until the drain ends', async () => {
  const { state, happened, open } = underTest({ isDrained: true });
  const edge = await open();
  await edge.refresh();
  expect([happened, edge.addresses]).toEqual([['this edge is drained'], {}]);
  state.isDrained = false;
  await edge.refresh();
  expect(happened.slice(1)).toEqual(['opens', 'this edge is no longer drained']);
});

test('with nginx, an edge that starts while it is drained ends the nginx of an earlier process', async () => {
  const { happened, open } = underTest({ isDrained: true, engine: 'nginx' });
  const edge = await open();
  await edge.refresh();
  expect(happened).toEqual(['opens', 'closes 12000 false', 'this edge is drained']);
});

test('an undrained edge whose port is taken tries again every 5 seconds', async () => {
  const { state, happened, open } = underTest({ isDrained: true });
  const edge = await open();
  Object.assign(state, { isDrained: false, fails: true });
  await edge.refresh();
  await edge.refresh();
  expect(happened.slice(1)).toEqual(['this edge cannot follow its drain; trying again']);
  state.fails = false;
  state.now += 5_000;
  await edge.refresh();
  expect(happened.slice(2)).toEqual(['opens', 'this edge is no longer drained']);
});

test('while its replica cannot be read, a drained edge stays drained', async () => {
  const { state, open } = underTest();
  const edge = await open();
  state.isDrained = true;
  await edge.refresh();
  state.isBroken = true;
  expect(edge.ready()).toBe(false);
});

test('an edge sends its state every second, and logs once that its heartbeats do not arrive', async () => {
  const { state, happened, sent, open } = underTest();
  await open();
  const last = () => sent.at(-1)?.state;
  await expect.poll(last).toBe('serving');
  expect(sent[0]).toEqual({ node: 'fra-1', region: 'eu', addresses: ['192.0.2.1'], state: 'serving' });
  state.isReady = false;
  await expect.poll(last).toBe('not_ready');
  state.isDrained = true;
  await expect.poll(last).toBe('draining');
  state.now += TTL_MS + LEARNED_MS;
  await expect.poll(last).toBe('drained');
  state.isBroken = true;
  const lost = 'the heartbeats of this edge do not arrive';
  await expect.poll(() => happened).toContain(lost);
  state.isBroken = false;
  await expect.poll(() => happened).toContain('the heartbeats of this edge arrive again');
  expect(happened.filter((line) => line === lost)).toHaveLength(1);
});
