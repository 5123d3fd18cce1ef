import { describe, expect, it } from 'vitest';
import { createClockFollower } from '../../../service/database/clock-follower.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';

const START = Date.UTC(2026, 10, 20, 12);

/** A node and a database, each with a clock that the test can set ahead. */
function world({ databaseAheadMs = 0 } = {}) {
  const time = { passedMs: 0, databaseAheadMs, wallAheadMs: 0 };
  const machine = { now: () => time.passedMs };
  const wall = { now: () => START + time.passedMs + time.wallAheadMs };
  const offset = () => START + time.databaseAheadMs;
  const clock = createClockFollower(machine, wall, offset());
  return {
    time,
    clock,
    /** Returns how far the node's time is ahead of the real time. */
    aheadMs: () => clock.now() - START - time.passedMs,
    /** Lets this number of minutes pass, with one measurement of the database's clock a minute. */
    pass(minutes: number) {
      const kinds = new Set<string>();
      for (let n = 0; n < minutes; n++) {
        time.passedMs += MINUTE_MS;
        kinds.add(clock.measured(offset()).kind);
      }
      return [...kinds];
    },
  };
}

describe("the service's clock follows the database's clock", () => {
  it("follows small changes of the database's clock, and stands still instead of going back", () => {
    const { time, clock, aheadMs, pass } = world();
    time.databaseAheadMs = 4 * SECOND_MS;
    expect(pass(1)).toEqual(['followed']);
    expect(aheadMs()).toBe(4 * SECOND_MS);
    const said = clock.now();
    time.databaseAheadMs = 0;
    clock.measured(START);
    expect(clock.now()).toBe(said);
    time.passedMs += 5 * SECOND_MS;
    expect(aheadMs()).toBe(0);
  });

  it('does not follow a database that is 7 hours ahead for 4 minutes, and reports the difference', () => {
    const { time, clock, aheadMs, pass } = world();
    time.databaseAheadMs = 7 * HOUR_MS;
    expect(pass(4)).toEqual(['doubted']);
    expect(aheadMs()).toBe(0);
    expect(clock.problem()).toContain('7.0 h ahead of');
    time.databaseAheadMs = 0;
    expect(pass(1)).toEqual(['followed']);
    expect(clock.problem()).toBeNull();
  });

  it("follows a lasting step of the database's clock, forward or back, without standing still", () => {
    const { time, clock, aheadMs, pass } = world();
    time.databaseAheadMs = 7 * HOUR_MS;
    expect(pass(11)).toEqual(['doubted', 'stepped']);
    expect(aheadMs()).toBe(7 * HOUR_MS);
    expect(clock.problem()).toContain('one of them is wrong');
    time.databaseAheadMs = 0;
    // The node steps back after one measurement, because the machine's own clock agrees with the database's.
    expect(pass(1)).toEqual(['stepped']);
    expect(aheadMs()).toBe(0);
    expect(clock.problem()).toBeNull();
  });

  it("reports a machine whose time is more than 30 seconds off, and uses the database's time", () => {
    const { time, clock, aheadMs } = world();
    const wall = { now: () => time.passedMs + 31 * SECOND_MS };
    const apart = createClockFollower({ now: () => time.passedMs }, wall, 0);
    expect(apart.problem()).toContain("31 s behind this machine's clock; one of them is wrong");
    expect(apart.now()).toBe(time.passedMs);
    expect([clock.problem(), aheadMs()]).toEqual([null, 0]);
  });

  it("follows a step of the database's clock at once if the machine's clock makes the same step", () => {
    const { time, aheadMs, pass } = world();
    time.databaseAheadMs = time.wallAheadMs = HOUR_MS;
    expect(pass(1)).toEqual(['stepped']);
    expect(aheadMs()).toBe(HOUR_MS);
    time.databaseAheadMs = time.wallAheadMs = 0;
    expect(pass(1)).toEqual(['stepped']);
    expect(aheadMs()).toBe(0);
  });

  it("continues at its own pace while the database's clock stands still", () => {
    const { time, clock, aheadMs, pass } = world();
    for (let minutes = 1; minutes <= 60; minutes++) {
      time.databaseAheadMs = -minutes * MINUTE_MS;
      expect(pass(1)).toEqual(['doubted']);
    }
    expect(aheadMs()).toBe(0);
    expect(clock.problem()).toContain('behind');
  });

  it("starts with the database's time even if that time is wrong, reports the error, and follows the correction", () => {
    const { time, clock, aheadMs, pass } = world({ databaseAheadMs: 7 * HOUR_MS });
    expect(clock.problem()).toContain('7.0 h ahead of');
    expect(aheadMs()).toBe(7 * HOUR_MS);
    time.databaseAheadMs = 0;
    expect(pass(1)).toEqual(['stepped']);
    expect(aheadMs()).toBe(0);
    expect(clock.problem()).toBeNull();
  });
});
