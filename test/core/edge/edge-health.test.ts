import { describe, expect, test } from 'vitest';
import { type Drained, EDGE_STATES, type EdgeState } from '../../../shared/core/edge/edge-health.ts';
import { seededRandom } from '../../fixtures/seeded-random.ts';
import { beatOf, NONE, V4, Watch } from './edge-watch.ts';

const V6 = ['2001:db8::1', '2001:db8::2'];
const A = beatOf('a', ['192.0.2.1', '2001:db8::1']);
const B = beatOf('b', ['192.0.2.2', '2001:db8::2']);
const C = beatOf('c', ['192.0.2.3']);
const D = beatOf('d', ['192.0.2.4']);

describe('An edge that falls silent', () => {
  test('the edge leaves the answers after 5 seconds, and comes back with its next beat', () => {
    const watch = new Watch();
    expect(watch.pass(3, A, B, C, D)).toEqual(V4);
    expect(watch.pass(4, B, C, D)).toEqual(V4);
    expect(watch.pass(1, B, C, D)).toEqual(V4.slice(1));
    expect(watch.pass(1, A, B, C, D)).toEqual(V4);
  });

  test('an edge that is not ready leaves like a silent one', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    const notReady = { ...A, state: 'not_ready' as const };
    expect(watch.pass(4, notReady, B, C, D)).toEqual(V4);
    expect(watch.pass(1, notReady, B, C, D)).toEqual(V4.slice(1));
  });

  test('edges that say themselves that they do not serve leave, however many they are', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    const notReady = [A, B, C].map((edge) => ({ ...edge, state: 'not_ready' as const }));
    expect(watch.pass(10, ...notReady, D)).toEqual(['192.0.2.4']);
  });

  test.each([
    ['half of a region falls silent together: they leave', [C, D], ['192.0.2.3', '192.0.2.4']],
    ['over half of a region falls silent together: all answers stay', [D], V4],
    ['a whole region falls silent together: all answers stay', [], V4],
  ])('%s', (_, live, expected) => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    expect(watch.pass(60, ...live)).toEqual(expected);
  });

  test('edges that fall silent one after the other all leave, but for the last one', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.pass(20, B, C, D);
    watch.pass(20, C, D);
    expect(watch.pass(20, D)).toEqual(['192.0.2.4']);
    expect(watch.pass(20)).toEqual(['192.0.2.4']);
  });

  test('the answers stay while the beats of all edges stop at different moments of a second', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.now += 900;
    watch.hear(B, C, D);
    for (let passed = 0; passed < 20_000; passed += 100) {
      watch.now += 100;
      expect(watch.answers()).toEqual(V4);
    }
  });

  test('the only edge of a region leaves, and the next region answers', () => {
    const watch = new Watch({ regions: ['eu', 'us'] });
    const [eu, us, asia] = [A, B, C].map((beat, at) => ({ ...beat, region: ['eu', 'us', 'asia'][at] ?? '' }));
    if (!eu || !us || !asia) throw new Error('three edges');
    const unknown = '192.0.2.4';
    expect(watch.pass(2, eu, us, asia)).toEqual(['192.0.2.1', unknown]);
    expect(watch.pass(6, us, asia)).toEqual(['192.0.2.2', unknown]);
    expect(watch.pass(6, asia)).toEqual(['192.0.2.3', unknown]);
    expect(watch.pass(1, eu, asia)).toEqual(['192.0.2.1', unknown]);
  });

  test('while the source of beats is away the answers stay, and a silence begins with the connection', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.isConnected = false;
    expect(watch.pass(100)).toEqual(V4);
    watch.isConnected = true;
    expect(watch.pass(4, B, C, D)).toEqual(V4);
    expect(watch.pass(2, B, C, D)).toEqual(V4.slice(1));
  });
});

describe('A drained edge', () => {
  test.each<[string, Drained, Drained, EdgeState]>([
    ['with a drain in the replica', new Set(['a']), NONE, 'serving'],
    ['without a replica, with a beat of the edge', null, null, 'draining'],
  ])('the edge leaves the answers at once %s, and comes back after it', (_, drained, undrained, state) => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.drained = drained;
    watch.hear({ ...A, state });
    expect(watch.answers()).toEqual(V4.slice(1));
    watch.drained = undrained;
    watch.now += 1;
    watch.hear(A);
    expect(watch.answers()).toEqual(V4);
  });

  test('drains apply while the source of beats is away', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.isConnected = false;
    watch.drained = new Set(['a']);
    expect(watch.answers()).toEqual(V4.slice(1));
    watch.drained = NONE;
    expect(watch.answers()).toEqual(V4.slice(1));
    watch.isConnected = true;
    expect(watch.pass(1, A, B, C, D)).toEqual(V4);
  });

  test('edges that are undrained together come back only with their beats', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.drained = new Set(['a', 'b', 'c']);
    watch.pass(60, D);
    watch.drained = NONE;
    expect(watch.pass(1, D)).toEqual(['192.0.2.4']);
    expect(watch.pass(1, A, B, C, D)).toEqual(V4);
  });

  test('with a replica, a beat in the name of another edge does not take that edge out of the answers', () => {
    const watch = new Watch();
    for (const state of EDGE_STATES) expect(watch.pass(10, A, { ...A, state }, B, C, D)).toEqual(V4);
  });

  test('drained edges do not count when the others of their region fall silent', () => {
    const watch = new Watch();
    watch.drained = new Set(['a', 'b']);
    const drained = [A, B].map((beat) => ({ ...beat, state: 'drained' as const }));
    watch.pass(10, ...drained, C, D);
    expect(watch.pass(10, ...drained, D)).toEqual(['192.0.2.4']);
  });

  test('the answers stay as they were if all edges are drained', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.drained = new Set(['a', 'b', 'c']);
    expect(watch.answers()).toEqual(['192.0.2.4']);
    watch.drained = new Set(['a', 'b', 'c', 'd']);
    expect(watch.answers()).toEqual(['192.0.2.4']);
  });
});

describe('The addresses of edges', () => {
  test('an address that no edge has named stays in the answers', () => {
    const watch = new Watch();
    expect(watch.answers()).toEqual(V4);
    watch.pass(2, A, B);
    expect(watch.pass(10, A)).toEqual(['192.0.2.1', '192.0.2.3', '192.0.2.4']);
  });

  test('an address of several edges stays while one of them serves', () => {
    const watch = new Watch({ configured: ['192.0.2.1'] });
    const other = { ...A, node: 'other' };
    watch.pass(2, A, other);
    watch.drained = new Set(['a']);
    expect(watch.pass(20, other)).toEqual(['192.0.2.1']);
  });

  test('the only edge with an IPv6 address stays in the IPv6 answers', () => {
    const watch = new Watch({ configured: [...V4, '2001:db8::1'] });
    watch.pass(2, A, B, C, D);
    expect(watch.pass(10, B, C, D)).toEqual([...V4.slice(1), '2001:db8::1']);
  });
});

describe('A name server that starts again', () => {
  const restart = (watch: Watch) => {
    const next = new Watch({ remembered: JSON.parse(JSON.stringify(watch.health.memory())) });
    next.isConnected = false;
    return next;
  };

  test('the name server keeps its answers without the source of beats', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    const answers = watch.pass(10, B, C, D);
    const next = restart(watch);
    expect([next.answers(), next.pass(60)]).toEqual([answers, answers]);
    next.isConnected = true;
    expect(next.pass(1, A, B, C, D)).toEqual(V4);
  });

  test('the name server keeps the last answers if no edge serves', () => {
    const watch = new Watch();
    watch.pass(2, A, B, C, D);
    watch.pass(10, D);
    watch.drained = new Set(['b', 'c', 'd']);
    const next = restart(watch);
    next.drained = new Set(['a', 'b', 'c', 'd']);
    expect(next.answers()).toEqual(watch.answers());
  });

  test('an edge that was silent for long before the first answer of the source is no answer', () => {
    const watch = new Watch();
    watch.hear(B, C, D);
    watch.health.hear([{ ...A, heard_ms: 60_000, served_ms: 60_000 }], watch.now);
    expect(watch.answers()).toEqual(V4.slice(1));
  });
});

test('two processes of a node count as one edge, which serves while one of them serves', () => {
  const watch = new Watch();
  const failing = { ...A, state: 'not_ready' as const };
  watch.pass(2, A, failing, B, C, D);
  expect(watch.pass(20, A, failing, B, C, D)).toEqual(V4);
  expect(watch.pass(20, failing, A, B, C, D)).toEqual(V4);
  expect(watch.pass(5, failing, failing, B, C, D)).toEqual(V4.slice(1));
  expect(watch.health.states(watch.now, NONE)).toHaveLength(4);
});

test('the metrics count silent nodes as silent, also those that stay in the answers', () => {
  const watch = new Watch();
  watch.pass(2, A, B, C, D);
  watch.pass(10, C);
  const states = watch.health.states(watch.now, new Set(['d'])).map(({ state }) => state);
  expect(states).toEqual(['silent', 'silent', 'serving', 'draining']);
});

describe.each(Array.from({ length: 40 }, (_, seed) => seed))('In random world %d', (seed) => {
  const random = seededRandom(seed);
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const regions = ['eu', 'us', 'asia'];
  const configured = [...V4, ...V6, '192.0.2.5', '192.0.2.6'];
  const beats = Array.from({ length: 6 }, (_, at) =>
    beatOf(`n${at}`, [`192.0.2.${at + 1}`, ...(at < 2 ? [`2001:db8::${at + 1}`] : [])], {
      region: pick(regions),
    }),
  );

  test('no family of addresses is ever empty, and no other address is an answer', () => {
    const watch = new Watch({ configured, regions: [pick(regions), pick(regions)] });
    for (let step = 0; step < 300; step++) {
      watch.now += Math.floor(random() * 4000);
      watch.isConnected = random() < 0.8;
      watch.drained = new Set(beats.filter(() => random() < 0.3).map(({ node }) => node));
      const state = (): EdgeState => pick(EDGE_STATES);
      watch.hear(...beats.filter(() => random() < 0.4).map((beat) => ({ ...beat, state: state() })));
      const answers = watch.answers();
      expect(answers.some((each) => each.includes('.'))).toBe(true);
      expect(answers.some((each) => each.includes(':'))).toBe(true);
      expect(configured.filter((each) => answers.includes(each))).toEqual(answers);
    }
  });

  test('a single silent edge among three or more leaves', () => {
    const count = 3 + Math.floor(random() * 4);
    const some = beats.slice(0, count).map((beat) => ({ ...beat, region: 'default' }));
    const watch = new Watch({ configured: configured.filter((each) => each.includes('.')) });
    watch.pass(1 + Math.floor(random() * 20), ...some);
    const gone = pick(some);
    const answers = watch.pass(5, ...some.filter((beat) => beat !== gone));
    expect(some.filter(({ addresses: [first = ''] }) => !answers.includes(first))).toEqual([gone]);
  });

  test('the order of the beats does not matter', () => {
    const heard = Array.from({ length: 30 }, (_, at) => {
      const beat = { ...pick(beats), state: pick(EDGE_STATES) };
      const age = at * 300 + Math.floor(random() * 300);
      return { ...beat, heard_ms: age, served_ms: beat.state === 'serving' ? age : null };
    });
    const orders = [heard, heard.toReversed(), heard.toSorted(() => random() - 0.5)];
    const answers = orders.map((order) => {
      const watch = new Watch({ configured });
      for (const beat of order) watch.health.hear([beat], watch.now);
      watch.answers();
      watch.now += 2000;
      return watch.answers();
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});
