import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../shared/adapters/system.ts';
import { createValueBox } from '../../shared/adapters/value-box.ts';
import type { SealedValue } from '../../shared/core/edge/edge-value.ts';

const [ONE, TWO] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const ring = (current: string, keys: Record<string, Uint8Array>) =>
  createValueBox({ current, keys: new Map(Object.entries(keys)) }, systemRandom);

const BOX = ring('k1', { k1: ONE });
const AT = { key: 'host.careers.acme.com', epoch: 3, number: 7 };
const VALUE = { secret: 'whsec_ä', until: 12 };

type Sealed = SealedValue & { value: Uint8Array };
const sealed = (box = BOX, at = AT): Sealed => ({ ...at, value: box.seal(at, VALUE) });

describe('the box of edge values opens a value only as it was sealed', () => {
  it('returns the sealed value, and never shows its text in the sealed bytes', () => {
    const value = sealed();
    expect(BOX.open(value)).toEqual(VALUE);
    expect(Buffer.from(value.value).includes('whsec')).toBe(false);
    expect(sealed().value).not.toEqual(value.value);
  });

  it('opens a value from the middle of a larger buffer, as databases return it', () => {
    const { value } = sealed();
    const larger = Buffer.concat([Buffer.alloc(5), value, Buffer.alloc(5)]);
    expect(BOX.open({ ...AT, value: larger.subarray(5, 5 + value.length) })).toEqual(VALUE);
  });

  it.each<[string, Partial<Sealed>]>([
    ['another key', { key: 'host.jobs.acme.com' }],
    ['an earlier number', { number: 6 }],
    ['a later number', { number: 8 }],
    ['another epoch', { epoch: 4 }],
    ['numbers that only look alike', { epoch: 37, number: 0 }],
  ])('refuses a value that was moved to %s', (_, moved) => {
    expect(() => BOX.open({ ...sealed(), ...moved })).toThrow();
  });

  it('refuses a value of which any single byte was changed', () => {
    const { value } = sealed();
    for (let at = 0; at < value.length; at++) {
      const changed = Uint8Array.from(value);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => BOX.open({ ...AT, value: changed }), `byte ${at}`).toThrow();
    }
  });

  it('refuses a value that was cut at any length, or has bytes after its end', () => {
    const { value } = sealed();
    for (let length = 0; length < value.length; length++)
      expect(() => BOX.open({ ...AT, value: value.subarray(0, length) }), `${length} bytes`).toThrow();
    expect(() => BOX.open({ ...AT, value: Buffer.concat([value, Buffer.alloc(1)]) })).toThrow();
  });

  it('refuses an unknown format, and says which one', () => {
    const value = Uint8Array.from(sealed().value);
    value[0] = 9;
    expect(() => BOX.open({ ...AT, value })).toThrow('unknown format 9');
  });

  it('refuses a value under other key bytes, and names a key that the ring lacks', () => {
    expect(() => BOX.open(sealed(ring('k1', { k1: TWO })))).toThrow();
    expect(() => BOX.open(sealed(ring('k2', { k2: TWO })))).toThrow('There is no edge key "k2"');
  });
});

describe('the box of edge values rotates its keys', () => {
  const rotated = ring('k2', { k1: ONE, k2: TWO });

  it('opens values under the old key while the ring has it, and seals with the new key', () => {
    expect(rotated.open(sealed())).toEqual(VALUE);
    expect(ring('k2', { k2: TWO }).open(sealed(rotated))).toEqual(VALUE);
    expect(() => ring('k2', { k2: TWO }).open(sealed())).toThrow('"k1"');
  });

  it('distinguishes values under the current key from values under every other key', () => {
    expect([BOX.isCurrent(sealed().value), rotated.isCurrent(sealed().value)]).toEqual([true, false]);
    expect(rotated.isCurrent(sealed(rotated).value)).toBe(true);
    // The id of one key may begin with the id of another one.
    const longer = ring('k1b', { k1b: TWO });
    expect([BOX.isCurrent(sealed(longer).value), longer.isCurrent(sealed().value)]).toEqual([false, false]);
    expect(BOX.isCurrent(new Uint8Array())).toBe(false);
  });
});
