import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { H3, toNodeHandler } from 'h3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EdgeBackend } from '../../../../service/edge/edge-backend.ts';
import { createBeatStore } from '../../../../service/edge/health/beat-store.ts';
import { createStoredBeats } from '../../../../service/edge/health/edge-beats.ts';
import { createInnerBackend } from '../../../../service/inner/inner-backend.ts';
import { serveInner } from '../../../../service/inner/serve-inner.ts';
import { systemClock, systemRandom } from '../../../../shared/adapters/system.ts';
import { createValueBox } from '../../../../shared/adapters/value-box.ts';
import type { EdgeBeat } from '../../../../shared/core/edge/edge-health.ts';
import { HOUR_MS } from '../../../../shared/core/instant.ts';
import { describePostgres } from '../../../fixtures/postgres/postgres.ts';
import { openDatabase } from '../../../store/open-postgres.ts';
import { migratedStore } from '../../../store/open-store.ts';

const RING = { current: 'e1', keys: new Map([['e1', new Uint8Array(32).fill(5)]]) };
const BOX = createValueBox(RING, systemRandom);
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const BEAT: EdgeBeat = {
  node: 'fra-1',
  region: 'eu',
  addresses: ['192.0.2.1', '2001:db8::1'],
  state: 'serving',
};
/** More than a statement takes on a busy machine. */
const SOON_MS = 20_000;

describePostgres('The beats of edges', () => {
  const store = migratedStore(openDatabase);
  let backends: Record<string, Pick<EdgeBackend, 'saveBeat' | 'listBeats'>>;
  beforeAll(async () => {
    const direct = createBeatStore(store());
    const app = new H3();
    serveInner(direct as EdgeBackend, { edgeKeys: RING, box: BOX, clock: systemClock })(app, () =>
      expect.fail('no route'),
    );
    const server = createServer(toNodeHandler(app) as RequestListener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const inner = createInnerBackend({ url, edgeKeys: RING, box: BOX, clock: systemClock, log: QUIET });
    backends = { 'the database': direct, 'the API nodes': inner };
    afterAll(async () => {
      await inner.close();
      server.close();
    });
  });

  /** Reads the stored beats without the answer of an earlier read. */
  const listed = () => createBeatStore(store()).listBeats();
  const age = (ms: number) =>
    sql`update edge_beats set heard_at = heard_at - ${ms}, served_at = served_at - ${ms}`.execute(store().db);

  describe.each(['the database', 'the API nodes'])('through %s', (name) => {
    const backend = () => backends[name] ?? expect.fail('no backend');

    test('a name server reads the last beat of every node, with its age', async () => {
      await Promise.all([backend().saveBeat(BEAT), backend().saveBeat({ ...BEAT, node: 'fra-2' })]);
      await age(HOUR_MS);
      await backend().saveBeat({ ...BEAT, state: 'not_ready' });
      await expect
        .poll(() => backend().listBeats(), { timeout: SOON_MS })
        .toMatchObject([
          { ...BEAT, state: 'not_ready' },
          { ...BEAT, node: 'fra-2' },
        ]);
      const [one, two] = await listed();
      expect(one?.heard_ms).toBeLessThan(SOON_MS);
      for (const ms of [one?.served_ms, two?.heard_ms, two?.served_ms]) {
        expect(ms).toBeGreaterThanOrEqual(HOUR_MS);
        expect(ms).toBeLessThan(HOUR_MS + SOON_MS);
      }
    });

    test('a node serves while one of its processes serves', async () => {
      const failing = { ...BEAT, state: 'not_ready' as const };
      await Promise.all([failing, BEAT, failing].map((beat) => backend().saveBeat(beat)));
      expect((await listed())[0]?.served_ms).toBeLessThan(SOON_MS);
    });
  });

  test('a node that has never served has no time of service', async () => {
    await backends['the database']?.saveBeat({ ...BEAT, state: 'not_ready' });
    expect(await listed()).toMatchObject([{ served_ms: null }]);
  });

  test('three hundred edges cost one statement', async () => {
    let statements = 0;
    const counting = store().db.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const counted = createBeatStore({ ...store(), db: counting });
    const names = Array.from({ length: 300 }, (_, at) => `node-${String(at).padStart(3, '0')}`);
    await Promise.all(names.map((node) => counted.saveBeat({ ...BEAT, node })));
    expect(statements).toBe(1);
    expect((await listed()).map(({ node }) => node)).toEqual(names);
  });

  test('a node is forgotten a day after another one has taken its addresses', async () => {
    const save = (node: string, addresses = BEAT.addresses) =>
      backends['the database']?.saveBeat({ ...BEAT, node, addresses });
    await Promise.all([save('container-1'), save('other', ['192.0.2.2'])]);
    await age(20 * HOUR_MS);
    await save('container-2');
    expect((await listed()).map(({ node }) => node)).toEqual(['container-1', 'container-2', 'other']);
    await age(5 * HOUR_MS);
    await save('container-2');
    expect((await listed()).map(({ node }) => node)).toEqual(['container-2', 'other']);
  });

  test.each([
    { ...BEAT, node: 'a b' },
    { ...BEAT, addresses: ['example.com'] },
    { ...BEAT, state: 'up' as 'serving' },
  ])('the API refuses a malformed beat', async (beat) => {
    await expect(backends['the API nodes']?.saveBeat(beat)).rejects.toThrow('responded with 400');
    expect(await listed()).toEqual([]);
  });
});

test('a name server notices that the API is away, and that it is back', async () => {
  let now = 0;
  let isAway = false;
  const logged: string[] = [];
  const note = (_: object, line: string) => void logged.push(line);
  const heard: unknown[] = [];
  const beats = createStoredBeats(
    {
      saveBeat: async () => undefined,
      async listBeats() {
        if (isAway) throw new Error('away');
        return [];
      },
    },
    { info: note, warn: note, error: note },
    { now: () => now },
  );
  expect(beats.isConnected()).toBe(false);
  const end = beats.listen((list) => heard.push(list));
  await expect.poll(() => beats.isConnected(), { timeout: SOON_MS }).toBe(true);
  isAway = true;
  now += 3000;
  expect(beats.isConnected()).toBe(false);
  await expect
    .poll(() => logged, { timeout: SOON_MS })
    .toEqual([expect.stringContaining('keeps its answers')]);
  isAway = false;
  await expect.poll(() => beats.isConnected(), { timeout: SOON_MS }).toBe(true);
  expect(logged).toHaveLength(2);
  end();
});
