import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../shared/core/fairness/fair-slots.ts';
import {
  OriginConnectionLimiter,
  type OriginConnectionLimits,
} from '../../../shared/edge/forwarding/origin-connection-limiter.ts';

const LIMITS = {
  slotsMax: 4,
  perNetworkMax: 2,
  sharedFrom: 0,
  queuedMax: 5,
  queuedPerNetworkMax: 3,
};

/** Creates a limiter, and records the names of requests in the order in which they were admitted. */
function limiterUnderTest(more: Partial<OriginConnectionLimits> = {}) {
  const limiter = new OriginConnectionLimiter({ ...LIMITS, ...more });
  const begun: string[] = [];
  const byName = new Map<string, Slot>();
  return {
    limiter,
    begun,
    /** @returns whether the request got a slot, waits for one, or found the queue full. */
    ask(network: string, name: string): 'now' | 'waits' | 'full' {
      const slot = limiter.ask(network, () => begun.push(name));
      if (slot === null) return 'full';
      byName.set(name, slot);
      return slot.waits ? 'waits' : 'now';
    },
    leave(name: string) {
      const slot = byName.get(name);
      if (!slot) throw new Error(`${name} has no slot`);
      limiter.leave(slot);
    },
  };
}

describe('the connection limiter of an origin', () => {
  it('admits a network up to its share, and leaves room for others', () => {
    const { ask } = limiterUnderTest();
    expect([ask('a', '1'), ask('a', '2'), ask('a', '3')]).toEqual(['now', 'now', 'waits']);
    expect([ask('b', '4'), ask('b', '5'), ask('c', '6')]).toEqual(['now', 'now', 'waits']);
  });

  it('limits a network only once connections are scarce', () => {
    const { ask, leave, begun } = limiterUnderTest({ slotsMax: 8, sharedFrom: 4 });
    for (const name of ['1', '2', '3', '4']) expect(ask('office', name)).toBe('now');
    expect([ask('office', '5'), ask('b', '6'), ask('b', '7'), ask('b', '8')]).toEqual([
      'waits',
      'now',
      'now',
      'waits',
    ]);
    // Releasing one slot is not enough, because connections are still scarce then.
    leave('1');
    leave('6');
    expect(begun).toEqual(['8']);
    leave('2');
    expect(begun).toEqual(['8']);
    leave('7');
    expect(begun).toEqual(['8', '5']);
  });

  it("admits two requests if one release makes room in a network's share and ends the scarcity", () => {
    const { ask, leave, begun } = limiterUnderTest({ sharedFrom: 3 });
    for (const name of ['1', '2', '3', '4']) ask('a', name);
    expect(ask('b', '5')).toBe('now');
    ask('b', '6');
    leave('1');
    expect(begun).toEqual(['6']);
    for (const name of ['2', '5']) leave(name);
    expect(begun).toEqual(['6', '4']);
  });

  it('admits waiting networks in turn', () => {
    const { ask, leave, begun } = limiterUnderTest();
    for (const name of ['1', '2', '3', '4', '5']) ask('a', name);
    for (const name of ['6', '7', '8']) ask('b', name);
    leave('6');
    expect(begun).toEqual(['8']);
    for (const name of ['1', '2', '3']) leave(name);
    expect(begun).toEqual(['8', '3', '4', '5']);
  });

  it('admits the network whose turn it is, even if another has more requests', () => {
    const { ask, leave, begun } = limiterUnderTest();
    for (const name of ['1', '2']) ask('a', name);
    for (const name of ['3', '4']) ask('b', name);
    for (const name of ['5', '6', '7']) ask('c', name);
    ask('d', '8');
    for (const name of ['1', '2', '3']) leave(name);
    expect(begun).toEqual(['5', '8', '6']);
  });

  it('limits waiting requests in total and per network', () => {
    const { ask, leave } = limiterUnderTest();
    for (const name of ['1', '2', '3', '4', '5']) ask('a', name);
    expect(ask('a', '6')).toBe('full');
    expect([ask('b', '7'), ask('b', '8')]).toEqual(['now', 'now']);
    expect([ask('b', '9'), ask('c', '10'), ask('d', '11')]).toEqual(['waits', 'waits', 'full']);
    leave('9');
    expect(ask('d', '11')).toBe('waits');
  });

  it('is contested only while all slots are taken and a request waits', () => {
    const { limiter, ask, leave } = limiterUnderTest();
    for (const name of ['1', '2', '3']) ask('a', name);
    expect(limiter.contested).toBe(false);
    for (const name of ['4', '5']) ask('b', name);
    expect(limiter.contested).toBe(true);
    leave('3');
    expect(limiter.contested).toBe(false);
  });

  it('is free once no request has or awaits a slot', () => {
    const { limiter, ask, leave, begun } = limiterUnderTest();
    for (const name of ['1', '2', '3']) ask('a', name);
    limiter.onceFree(() => begun.push('free'));
    for (const name of ['1', '2', '3']) leave(name);
    expect(begun).toEqual(['3', 'free']);
  });
});
