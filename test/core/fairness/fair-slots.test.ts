import { describe, expect, test } from 'vitest';
import {
  FairSlots,
  fractionOfFree,
  type Slot,
  type SlotRules,
} from '../../../shared/core/fairness/fair-slots.ts';

const RULES: SlotRules = {
  slotsMax: 10,
  mayTake: fractionOfFree(5),
  queuedMax: 100,
  queuedPerPartyMax: 50,
};

/** Creates slots and records the names of the parties in the order in which they are admitted. */
function slotsUnderTest(more: Partial<SlotRules> = {}) {
  const slots = new FairSlots({ ...RULES, ...more });
  const begun: string[] = [];
  const held = new Map<string, Slot[]>();
  return {
    slots,
    begun,
    /** Makes `count` requests of a party. @returns the number of these requests that get a slot immediately. */
    ask(party: string, count: number): number {
      let now = 0;
      for (let n = 0; n < count; n++) {
        const slot = slots.ask(party, () => begun.push(party));
        if (slot === null) continue;
        held.set(party, [...(held.get(party) ?? []), slot]);
        if (!slot.waits) now += 1;
      }
      return now;
    },
    leave(party: string): void {
      const slot = held.get(party)?.shift();
      if (slot === undefined) throw new Error(`${party} has no slot`);
      slots.leave(slot);
    },
  };
}

describe('the slots of a limiter are shared fairly among several parties', () => {
  test('one party gets only a part of the free slots, so that the next party gets a slot', () => {
    const { ask } = slotsUnderTest();
    expect(['a', 'b', 'c', 'd', 'e'].map((party) => ask(party, 40))).toEqual([2, 2, 2, 1, 1]);
    expect(ask('f', 1)).toBe(1);
  });

  test.each([
    [1, 1],
    [2, 1],
    [10, 2],
    [200, 40],
  ])('of %i slots, a single party gets %i', (slotsMax, share) => {
    expect(slotsUnderTest({ slotsMax }).ask('a', 300)).toBe(share);
  });

  test('free slots go to waiting parties in turn, however many requests each party has', () => {
    const { ask, leave, begun } = slotsUnderTest({ slotsMax: 1 });
    ask('holds', 1);
    ask('floods', 50);
    ask('modest', 2);
    for (const party of ['holds', 'floods', 'modest', 'floods']) leave(party);
    expect(begun).toEqual(['floods', 'modest', 'floods', 'modest']);
  });

  test('a free slot goes to the waiting party with the fewest slots, however many requests others have', () => {
    const { ask, leave, begun } = slotsUnderTest({ slotsMax: 4, mayTake: () => true });
    ask('greedy', 40);
    ask('modest', 2);
    ask('other', 1);
    for (let n = 0; n < 4; n++) leave('greedy');
    expect(begun).toEqual(['modest', 'other', 'greedy', 'modest']);
    for (const party of ['modest', 'other']) leave(party);
    expect(begun.slice(4)).toEqual(['greedy', 'greedy']);
  });

  test('a request that has left the queue gets no slot', () => {
    const { slots, ask, leave, begun } = slotsUnderTest({ slotsMax: 1 });
    ask('first', 1);
    ask('ended', 1);
    ask('last', 1);
    leave('ended');
    leave('first');
    expect(begun).toEqual(['last']);
    leave('last');
    expect(slots.ask('ended', () => undefined)?.waits).toBe(false);
  });

  test('each party has a queue of its own, and a full queue does not affect other parties', () => {
    const { slots, ask } = slotsUnderTest({ slotsMax: 1, queuedPerPartyMax: 3 });
    ask('floods', 4);
    expect(slots.ask('floods', () => undefined)).toBeNull();
    expect(slots.ask('modest', () => undefined)?.waits).toBe(true);
  });

  test('a party blocks itself while a slot is free for others', () => {
    const { slots, ask } = slotsUnderTest();
    ask('floods', 3);
    expect(slots.isBlockedByItself('floods')).toBe(true);
  });

  test('if no slot is free, others block a party, unless it asks for more than an equal part', () => {
    const { slots, ask } = slotsUnderTest();
    for (let n = 0; n < 50; n++) ask(`p${n}`, 1);
    ask('floods', 5);
    expect(['floods', 'p49'].map((party) => slots.isBlockedByItself(party))).toEqual([true, false]);
  });
});
