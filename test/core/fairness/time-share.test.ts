import { describe, expect, test } from 'vitest';
import { createTimeShare } from '../../../shared/core/fairness/time-share.ts';

const RULES = { share: 0.25, burstMs: 100, waitMsMax: 5_000, presentMs: 10_000 };

/** Creates a time share between two parties that have just sent a request. */
function shareUnderTest() {
  const share = createTimeShare(RULES);
  share.note('calm', 0);
  share.note('noisy', 0);
  return share;
}

describe("a party's share of time is limited while others are present", () => {
  test('work up to the burst runs immediately, and further work is spread out', () => {
    const share = shareUnderTest();
    const delays = Array.from({ length: 13 }, () => share.reserve('noisy', 0));
    // A piece of work is expected to take 10 ms. With a quarter of the time, a party gets one piece done every 40 ms.
    expect(delays).toEqual([...Array<number>(11).fill(0), 40, 80]);
    expect(share.reserve('calm', 0)).toBe(0);
  });

  test('the share is measured by the actual duration of work, not the expected duration', () => {
    const share = shareUnderTest();
    let now = 0;
    let done = 0;
    for (; now < 60_000; done++) {
      now += share.reserve('noisy', now) ?? expect.unreachable('it waits for its turn');
      now += 50;
      share.note('calm', now);
      share.recordDuration('noisy', 50, now);
    }
    expect((done * 50) / now).toBeCloseTo(RULES.share, 1);
  });

  test('no work waits longer than the maximum wait', () => {
    const share = shareUnderTest();
    const delays = Array.from({ length: 1_000 }, () => share.reserve('noisy', 0));
    expect(delays.filter((delay) => delay !== null).length).toBeLessThan(150);
    expect(Math.max(...delays.map(Number))).toBe(RULES.waitMsMax);
    expect(delays.at(-1)).toBeNull();
  });

  test('one very long piece of work delays later work only for a limited time', () => {
    const share = shareUnderTest();
    share.reserve('noisy', 0);
    share.recordDuration('noisy', 600_000, 0);
    share.note('calm', RULES.waitMsMax);
    expect(share.reserve('noisy', RULES.waitMsMax)).toBe(0);
  });

  test('a party may use all of the time while it is alone, and again once the others have gone', () => {
    const share = createTimeShare(RULES);
    share.note('alone', 0);
    for (let n = 0; n < 1_000; n++) expect(share.reserve('alone', 0)).toBe(0);
    share.note('visits', 1);
    for (let n = 0; n < 11; n++) share.reserve('alone', 1);
    expect(share.reserve('alone', 1)).toBeGreaterThan(0);
    expect(share.reserve('alone', 1 + RULES.presentMs)).toBe(0);
  });
});
