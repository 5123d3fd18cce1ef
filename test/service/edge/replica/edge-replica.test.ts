import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../shared/adapters/system.ts';
import { createValueBox } from '../../../../shared/adapters/value-box.ts';
import type { HostValue, SealedValue } from '../../../../shared/core/edge/edge-value.ts';
import { HOUR_MS } from '../../../../shared/core/instant.ts';
import {
  APP_ID,
  appValue,
  CERTIFICATE,
  HOST,
  hostValue,
  newFolder,
  OTHER,
  ringOf,
  sealed,
  tamper,
} from './sample-values.ts';
import { originOf, valueSource } from './value-source.ts';

const SOON = { interval: 10 };
const AWAY = 'the edge cannot read changes, and serves what its replica has';
const WAITS = 'the edge cannot read changes, and waits for its first copy';

describe('an edge machine without a replica', () => {
  it('serves only once it has a complete first copy, also when it reads it in many pages', async () => {
    const { open } = await valueSource();
    const edge = await open(newFolder(), { page: 1 });
    expect(edge.find('host', OTHER)).toEqual(hostValue());
    expect(edge.find('host', 'unknown.acme.com')).toBeNull();
    expect([originOf(edge), edge.counts().hostnames]).toEqual(['https://one.example', 2]);
    expect(edge.holds()).toEqual(new Set(['*.evil.example']));
    expect(edge.ageMs()).toBeLessThan(HOUR_MS);
  });

  it('waits for its source, and does not serve an empty replica', async () => {
    const { open, take } = await valueSource();
    take(true);
    let isOpen = false;
    const opening = open(newFolder()).then((edge) => {
      isOpen = true;
      return edge;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(isOpen).toBe(false);
    take(false);
    const edge = await opening;
    expect(edge.find('host', OTHER)).toEqual(hostValue());
    expect(edge.messages()).toEqual([WAITS]);
  });

  it('keeps private keys out of the memory of opened values', async () => {
    const { open } = await valueSource();
    const edge = await open(newFolder());
    expect((edge.find('host', HOST) as HostValue).certificate).toBeNull();
    expect(edge.certificateOf(HOST)).toEqual(CERTIFICATE);
    expect(edge.certificateOf(OTHER)).toBeNull();
    expect(edge.certificateOf('unknown.acme.com')).toBeNull();
  });

  it('says which setting to change if its folder cannot be used', async () => {
    const { open } = await valueSource();
    const file = `${newFolder()}/file`;
    writeFileSync(file, '');
    await expect(open(`${file}/replica`)).rejects.toMatchObject({ code: 'edge_folder_unusable' });
  });
});

describe('an edge machine with a replica', () => {
  it('serves every value while its source is away, and shows the age of its values until the source is back', async () => {
    const { open, take, clock, publish } = await valueSource();
    const folder = newFolder();
    await (await open(folder)).close();
    take(true);
    clock.move(HOUR_MS);
    const edge = await open(folder);
    expect([edge.find('host', OTHER), originOf(edge)]).toEqual([hostValue(), 'https://one.example']);
    expect(edge.certificateOf(HOST)).toEqual(CERTIFICATE);
    await expect.poll(edge.messages, SOON).toEqual([AWAY]);
    expect(edge.ageMs()).toBeGreaterThanOrEqual(HOUR_MS);
    const beats = edge.beats();
    await publish(sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]));
    take(false);
    await expect.poll(() => originOf(edge), SOON).toBe('https://two.example');
    await expect.poll(edge.beats, SOON).toBeGreaterThan(beats);
    edge.refresh();
    expect(edge.ageMs()).toBeLessThan(HOUR_MS);
  });

  it('shows the true age on each process while the source is away from all of them', async () => {
    const { open, take, clock } = await valueSource();
    const folder = newFolder();
    await (await open(folder)).close();
    take(true);
    clock.move(HOUR_MS);
    const edges = [await open(folder), await open(folder)];
    // Longer than the time after which a process takes the writer's lease from another one.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    for (const edge of edges) {
      expect(edge.ageMs()).toBeGreaterThanOrEqual(HOUR_MS);
      expect(edge.find('host', OTHER)).toEqual(hostValue());
    }
  });

  it('tells its engine what changed: a hostname with its `www`, an app, a hold, or everything', async () => {
    const { open, publish } = await valueSource();
    const edge = await open(newFolder());
    const changesAfter = async (...values: SealedValue[]) => {
      edge.changed.length = 0;
      edge.apps.length = 0;
      await publish(...values);
      await expect.poll(() => edge.changed.length + edge.apps.length, SOON).toBeGreaterThan(0);
      return [edge.changed.toSorted(), [...edge.apps]];
    };
    expect(await changesAfter(sealed('host.acme.org', hostValue()))).toEqual([
      ['acme.org', 'www.acme.org'],
      [],
    ]);
    expect(await changesAfter(sealed(`app.${APP_ID}`, appValue(null), [1, 2]))).toEqual([[], [APP_ID]]);
    expect(await changesAfter(sealed(`hold.${HOST}`, {}))).toEqual([[HOST], []]);
    expect(edge.holds()).toEqual(new Set([HOST, '*.evil.example']));
    expect(await changesAfter(sealed('hold.*.evil.example', null, [1, 2]))).toEqual([[null], []]);
    expect(edge.holds()).toEqual(new Set([HOST]));
    expect(await changesAfter(sealed('host.acme.org', null, [1, 2]))).toEqual([
      ['acme.org', 'www.acme.org'],
      [],
    ]);
    expect(edge.find('host', 'acme.org')).toBeNull();
  });

  it('tells its engine that everything may have changed after a large transaction', async () => {
    const { open, publish } = await valueSource();
    const edge = await open(newFolder());
    originOf(edge);
    edge.changed.length = 0;
    const many = Array.from({ length: 1_200 }, (_, n) => sealed(`host.h${n}.acme.com`, hostValue()));
    await publish(...many, sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]));
    await expect.poll(() => originOf(edge), SOON).toBe('https://two.example');
    expect(edge.changed).toEqual([null]);
    expect(edge.counts().hostnames).toBe(1_202);
  });

  it('keeps its opened values through requests for 100,000 unknown names, which it does not store', async () => {
    const { open } = await valueSource();
    const edge = await open(newFolder());
    const opened = edge.find('host', HOST);
    for (let n = 0; n < 100_000; n++) edge.find('host', `unknown-${n}.acme.com`);
    expect(edge.find('host', HOST)).toBe(opened);
    expect(edge.counts().unreadable).toBe(0);
  });

  it('reads its source with one process of the machine, and another process takes over when that one ends', async () => {
    const { open, publish } = await valueSource();
    const folder = newFolder();
    const [first, second] = [await open(folder), await open(folder)];
    await publish(sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]));
    for (const edge of [first, second])
      await expect.poll(() => originOf(edge), SOON).toBe('https://two.example');
    await first.close();
    await publish(sealed(`app.${APP_ID}`, appValue('https://three.example'), [1, 3]));
    await expect.poll(() => originOf(second), SOON).toBe('https://three.example');
  });
});

describe('a value that an edge cannot open', () => {
  const POISONED: Record<string, (key: string) => SealedValue> = {
    'sealed under the keys of another installation': (key) =>
      sealed(key, hostValue(), [1, 2], createValueBox(ringOf('e1', 9), systemRandom)),
    'sealed under an unknown key': (key) =>
      sealed(key, hostValue(), [1, 2], createValueBox(ringOf('e9', 9), systemRandom)),
    'sealed for another key': (key) => ({ ...sealed('host.evil.example', hostValue(), [1, 2]), key }),
    'sealed for another version': (key) => ({ ...sealed(key, hostValue(), [1, 1]), number: 2 }),
    'with an unknown format': (key) => ({ ...sealed(key, null, [1, 2]), value: Buffer.from([99, 1, 2, 3]) }),
    'far too long': (key) => ({ ...sealed(key, null, [1, 2]), value: Buffer.alloc(5_000_000, 1) }),
    empty: (key) => ({ ...sealed(key, null, [1, 2]), value: Buffer.alloc(0) }),
  };

  it.each(Object.entries(POISONED))(
    'a value %s is counted and not served, and all other values are served',
    async (_, poison) => {
      const { open, publish } = await valueSource();
      const edge = await open(newFolder());
      edge.changed.length = 0;
      await publish(poison(`host.${HOST}`), sealed(`app.${APP_ID}`, appValue('https://two.example'), [1, 2]));
      await expect.poll(() => edge.find('host', HOST), SOON).toBe('unreadable');
      expect(edge.certificateOf(HOST)).toBe('unreadable');
      for (let n = 0; n < 10; n++) edge.find('host', HOST);
      expect(edge.counts().unreadable).toBe(1);
      expect(edge.logged).toMatchObject([
        { message: 'a value of the edge cannot be opened', fields: { value: `host.${HOST}` } },
      ]);
      expect(edge.find('host', OTHER)).toEqual(hostValue());
      expect(originOf(edge)).toBe('https://two.example');
      await publish(sealed(`host.${HOST}`, hostValue(), [1, 3]));
      await expect.poll(() => edge.find('host', HOST), SOON).toEqual(hostValue());
      await expect.poll(() => edge.counts().unreadable, SOON).toBe(0);
    },
  );

  it('is read from the source again if only the copy in the file is damaged, by any process of the machine', async () => {
    const { open } = await valueSource();
    const folder = newFolder();
    await (await open(folder)).close();
    tamper(
      folder,
      `update stored set value = x'010001' where id = (select id from names where key = ?)`,
      `host.${HOST}`,
    );
    const [writer, reader] = [await open(folder), await open(folder)];
    expect(reader.find('host', HOST)).toBe('unreadable');
    for (const edge of [reader, writer]) {
      await expect.poll(() => edge.find('host', HOST), SOON).toEqual(hostValue());
      await expect.poll(() => edge.counts().unreadable, SOON).toBe(0);
    }
    expect(reader.logged).toHaveLength(1);
  });

  it('stays unreadable for a process that starts with the file', async () => {
    const { open, publish, take } = await valueSource();
    const folder = newFolder();
    await publish({ ...sealed(`host.${HOST}`, hostValue(), [1, 1]), number: 2 });
    await (await open(folder)).close();
    take(true);
    const edge = await open(folder);
    expect(edge.find('host', HOST)).toBe('unreadable');
    expect(edge.find('host', OTHER)).toEqual(hostValue());
  });
});
