import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { followEdgeHealth } from '../../../service/dns/edge-answers.ts';
import { zonesOfSettings } from '../../../service/dns/zones-of-settings.ts';
import type { EdgeBeats } from '../../../service/edge/health/edge-beats.ts';
import type { EdgeBeat, HeardEdge } from '../../../shared/core/edge/edge-health.ts';
import { findAnswer, nameKey } from '../../../shared/dns/server/zone.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { dnsConfig, QUIET } from './dns-node.ts';

const [ONE, TWO, SIX] = ['192.0.2.10', '192.0.2.11', '2001:db8::10'];
const beat = (node: string, ...addresses: string[]): EdgeBeat => ({
  node,
  addresses,
  region: 'default',
  state: 'serving',
});
const [A, B] = [beat('a', ONE), beat('b', TWO, SIX)];

/** A name server with beats, drains and a clock of the test. */
function nameServer(folder = replicaFolder(), { isConnected = true } = {}) {
  let now = 1000;
  let listener: (beats: readonly HeardEdge[]) => void = () => undefined;
  const state = { isConnected, drained: new Set<string>(), isBroken: false };
  const changes: (readonly string[])[] = [];
  const beats: EdgeBeats = {
    send: async () => undefined,
    listen(given) {
      listener = given;
      return () => undefined;
    },
    isConnected: () => state.isConnected,
  };
  const followed = followEdgeHealth({
    configured: [ONE, TWO, SIX],
    regions: ['default'],
    beats,
    isDrained(node) {
      if (state.isBroken) throw new Error('the disk is gone');
      return state.drained.has(node);
    },
    folder,
    log: QUIET,
    onChange: (addresses) => changes.push(addresses),
    clock: { now: () => now },
  });
  return {
    folder,
    state,
    changes,
    states: followed.states,
    [Symbol.dispose]: followed.close,
    /** Lets time pass in which the process does not run. */
    pause(ms: number) {
      now += ms;
      followed.refresh();
    },
    /** Hears these nodes every second. @returns the last answers. */
    pass(seconds: number, ...heard: EdgeBeat[]) {
      for (let second = 0; second < seconds; second++) {
        now += 1000;
        listener(heard.map((each) => ({ ...each, heard_ms: 0, served_ms: 0 })));
        followed.refresh();
      }
      return changes.at(-1);
    },
  };
}

test('the name server changes its answers only when they differ', () => {
  using server = nameServer();
  expect(server.pass(10, A, B)).toEqual([ONE, TWO, SIX]);
  expect(server.pass(10, B)).toEqual([TWO, SIX]);
  expect(server.pass(10, A, B)).toEqual([ONE, TWO, SIX]);
  expect(server.changes).toHaveLength(3);
  expect(server.states()).toEqual([
    { region: 'default', state: 'serving' },
    { region: 'default', state: 'serving' },
  ]);
});

test('a drain in the replica changes the answers at once, and holds while the replica cannot be read', () => {
  using server = nameServer();
  server.pass(1, A, B);
  server.state.drained.add('a');
  expect(server.pass(1, A, B)).toEqual([TWO, SIX]);
  server.state.isBroken = true;
  expect(server.pass(1, A, B)).toEqual([TWO, SIX]);
});

test('a name server that starts while the source is away answers as it did before', () => {
  using before = nameServer();
  before.pass(3, A, B);
  before.pass(10, B);
  using after = nameServer(before.folder, { isConnected: false });
  expect(after.changes).toEqual([[TWO, SIX]]);
  expect(after.pass(60)).toEqual([TWO, SIX]);
  after.state.isConnected = true;
  expect(after.pass(1, A, B)).toEqual([ONE, TWO, SIX]);
});

test('after a pause of the name server, a silence begins when it runs again', () => {
  using server = nameServer();
  server.pass(3, A, B);
  server.pause(60_000);
  expect(server.pass(4, B)).toEqual([ONE, TWO, SIX]);
  expect(server.pass(2, B)).toEqual([TWO, SIX]);
});

test.each([
  ['is damaged', (file: string) => writeFileSync(file, '{')],
  ['has another form', (file: string) => writeFileSync(file, '{"edges":[{"node":"a"}]}')],
])('a name server whose file %s answers with all addresses, and writes it again', (_, damage) => {
  const folder = replicaFolder();
  const file = path.join(folder, 'edge-health.json');
  damage(file);
  using server = nameServer(folder);
  expect(server.changes).toEqual([[ONE, TWO, SIX]]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ edges: [], answers: [ONE, TWO, SIX] });
});

test('a zone answers with the given addresses, and keeps its serial number and the addresses of its servers', () => {
  const { settings, dns } = dnsConfig();
  if (dns === null) throw new Error('the settings have no servers');
  const answer = (zones: ReturnType<typeof zonesOfSettings>, name: string, type: number) =>
    findAnswer(zones, nameKey(name), type).answer.answers;
  const [all, some] = [zonesOfSettings(settings, dns), zonesOfSettings(settings, dns, [TWO, SIX])];
  for (const [name, type, isSame] of [
    ['edge.example.net', SOA, true],
    ['sandbox.example.net', SOA, true],
    ['ns2.edge.example.net', TYPE_A, true],
    ['any.edge.example.net', AAAA, true],
    ['any.edge.example.net', TYPE_A, false],
    ['dom_1.sandbox.example.net', TYPE_A, false],
  ] as const) {
    const found = [answer(all, name, type), answer(some, name, type)];
    expect(found[0]).not.toBeNull();
    if (isSame) expect(found[1], name).toEqual(found[0]);
    else expect(found[1], name).not.toEqual(found[0]);
  }
});

const [TYPE_A, SOA, AAAA] = [1, 6, 28];
