import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/core/ids.ts';
import { createInFlight } from '../../shared/jobs/in-flight.ts';

const LIMITS = { inFlightMax: 20, inFlightPerAccountMax: 4 };

function account(n: number): AccountId {
  return `acc_${n}` as AccountId;
}

test('the limit of work in flight lets an account use its maximum, but less when others use more slots', () => {
  const inFlight = createInFlight(LIMITS);
  expect(inFlight.room(account(0))).toBe(4);
  inFlight.add(null, 10);
  expect(inFlight.room(account(0))).toBe(2);
  inFlight.add(account(0), 2);
  expect(inFlight.room(account(0))).toBe(0);
  inFlight.add(null, -10);
  expect(inFlight.room(account(0))).toBe(2);
});

test('the limit of work in flight gives the next account a slot as long as a slot is free', () => {
  const inFlight = createInFlight(LIMITS);
  const rooms: number[] = [];
  for (let n = 0; n < 20; n++) {
    rooms.push(inFlight.room(account(n)));
    inFlight.add(account(n), inFlight.room(account(n)));
  }
  expect(rooms.reduce((sum, room) => sum + room)).toBe(20);
  expect(rooms.slice(0, rooms.indexOf(0)).every((room) => room > 0)).toBe(true);
  expect(inFlight.room(null)).toBe(0);
});

test('a copy of the work in flight counts separately from the original', () => {
  const inFlight = createInFlight(LIMITS);
  inFlight.add(account(0), 1);
  const copy = inFlight.copy();
  copy.add(account(0), 3);
  copy.add(null, 5);
  expect(copy.room(account(0))).toBe(0);
  expect(inFlight.room(account(0))).toBe(3);
  expect(inFlight.room(null)).toBe(19);
});

test('the work in flight lists the accounts that may not start more work', () => {
  const inFlight = createInFlight(LIMITS);
  inFlight.add(account(0), 4);
  inFlight.add(account(1), 1);
  expect(inFlight.full).toEqual([account(0)]);
  inFlight.add(account(0), -1);
  expect(inFlight.full).toEqual([]);
});
