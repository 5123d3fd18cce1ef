import { expect, test } from 'vitest';
import type { AppId } from '../../shared/core/ids.ts';
import { InFlight } from '../../shared/jobs/in-flight.ts';

const LIMITS = { inFlightMax: 20, inFlightPerAppMax: 4 };

function appNumber(n: number): AppId {
  return `app_${n}` as AppId;
}

test('gives an app that is alone the maximum, and less the more slots others use', () => {
  const inFlight = new InFlight(LIMITS);
  expect(inFlight.room(appNumber(0))).toBe(4);
  inFlight.add(null, 10);
  expect(inFlight.room(appNumber(0))).toBe(2);
  inFlight.add(appNumber(0), 2);
  expect(inFlight.room(appNumber(0))).toBe(0);
  inFlight.add(null, -10);
  expect(inFlight.room(appNumber(0))).toBe(2);
});

test('gives the next app capacity as long as there is any', () => {
  const inFlight = new InFlight(LIMITS);
  const rooms: number[] = [];
  for (let n = 0; n < 20; n++) {
    rooms.push(inFlight.room(appNumber(n)));
    inFlight.add(appNumber(n), inFlight.room(appNumber(n)));
  }
  expect(rooms.reduce((sum, room) => sum + room)).toBe(20);
  expect(rooms.slice(0, rooms.indexOf(0)).every((room) => room > 0)).toBe(true);
  expect(inFlight.room(null)).toBe(0);
});

test('counts a copy separately from the original', () => {
  const inFlight = new InFlight(LIMITS);
  inFlight.add(appNumber(0), 1);
  const copy = inFlight.copy();
  copy.add(appNumber(0), 3);
  copy.add(null, 5);
  expect(copy.room(appNumber(0))).toBe(0);
  expect(inFlight.room(appNumber(0))).toBe(3);
  expect(inFlight.room(null)).toBe(19);
});

test('no longer lists an app that has nothing running', () => {
  const inFlight = new InFlight(LIMITS);
  inFlight.add(appNumber(0), 1);
  expect(inFlight.apps).toEqual([appNumber(0)]);
  inFlight.add(appNumber(0), -1);
  expect(inFlight.apps).toEqual([]);
});
