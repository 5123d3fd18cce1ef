import { describe, expect, test } from 'vitest';
import { FairSlots, onePartInto, type Slot, type SlotRules } from '../../shared/core/fair-slots.ts';

const RULES: SlotRules = {
  slotsMax: 10,
  mayTake: onePartInto(5),
  queuedMax: 100,
  queuedPerPartyMax: 50,
};

/** Slots, and the names of the parties whose turn came, in order. */
function slotsUnderTest(more: Partial<SlotRules> = {}) {
  const slots = new FairSlots({ ...RULES, ...more });
  const begun: string[] = [];
  const held = new Map<string, Slot[]>();
  return {
    slots,
    begun,
    /** @returns how many of so many requests of a party have a slot at once. */
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

describe('slots that are shared out in parts', () => {
  test('give each party a part of those that all others leave, so that the next one finds a slot', () => {
    const { ask } = slotsUnderTest();
    expect(['a', 'b', 'c', 'd', 'e'].map((party) => ask(party, 40))).toEqual([2, 2, 2, 1, 1]);
    expect(ask('f', 1)).toBe(1);
  });

  test.each([
    [1, 1],
    [2, 1],
    [10, 2],
    [200, 40],
  ])('of %i leave one party alone %i', (slotsMax, share) => {
    expect(slotsUnderTest({ slotsMax }).ask('a', 300)).toBe(share);
  });

  test('go to the parties that wait in turn, however many requests one of them has', () => {
    const { ask, leave, begun } = slotsUnderTest({ slotsMax: 1 });
    ask('holds', 1);
    ask('floods', 50);
    ask('modest', 2);
    for (const party of ['holds', 'floods', 'modest', 'floods']) leave(party);
    expect(begun).toEqual(['floods', 'modest', 'floods', 'modest']);
  });

  test('are not waited for by more than so many of one party, and others still may', () => {
    const { slots, ask } = slotsUnderTest({ slotsMax: 1, queuedPerPartyMax: 3 });
    ask('floods', 4);
    expect(slots.ask('floods', () => undefined)).toBeNull();
    expect(slots.ask('modest', () => undefined)?.waits).toBe(true);
  });

  test('are kept from a party by its own requests while others would find one', () => {
    const { slots, ask } = slotsUnderTest();
    ask('floods', 3);
    expect(slots.isInItsOwnWay('floods')).toBe(true);
  });

  test('are kept from a party by others once none is free, unless it asks for more than an even part', () => {
    const { slots, ask } = slotsUnderTest();
    for (let n = 0; n < 50; n++) ask(`p${n}`, 1);
    ask('floods', 5);
    expect(['floods', 'p49'].map((party) => slots.isInItsOwnWay(party))).toEqual([true, false]);
  });
});
