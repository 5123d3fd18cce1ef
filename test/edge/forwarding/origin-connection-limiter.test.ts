import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../shared/core/fairness/fair-slots.ts';
import {
  OriginConnectionLimiter,
  type OriginConnectionLimits,
} from '../../../shared/edge/forwarding/origin-connection-limiter.ts';
import { LIMITS, SLOT_CASES } from './origin-slot-cases.ts';

/** Creates a limiter, and records the names of requests in the order in which they were admitted. */
function limiterUnderTest(more: Partial<OriginConnectionLimits> = {}) {
  const limiter = new OriginConnectionLimiter({ ...LIMITS, ...more });
  const begun: string[] = [];
  const byName = new Map<string, Slot>();
  return {
    limiter,
    begun,
    /** @returns whether the request got a slot, waits for a slot, or found the queue full. */
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

describe('the connection limiter of an origin shares its slots fairly', () => {
  it.each(SLOT_CASES)('$title', ({ limits = {}, steps }) => {
    const { ask, leave, begun } = limiterUnderTest(limits);
    const results = steps.map(([step]) => {
      const [verb, ...words] = step.split(' ');
      const [network = '', name = ''] = words;
      if (verb === 'ask') return ask(network, name);
      leave(network);
      return begun.join(' ');
    });
    expect(results).toEqual(steps.map(([, result]) => result));
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
