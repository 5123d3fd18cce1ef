import type { OriginConnectionLimits } from '../../../shared/edge/forwarding/origin-connection-limiter.ts';

/** Limits that a case may change. */
export const LIMITS: OriginConnectionLimits = {
  slotsMax: 4,
  perNetworkMax: 2,
  sharedFrom: 0,
  queuedMax: 5,
  queuedPerNetworkMax: 3,
};

/**
 * Steps and their results. `ask a 1` sends request 1 from network a: it gets a slot `now`, `waits` for a slot, or finds the queue `full`.
 * `leave 1` ends request 1. The result of `leave` lists all requests that have waited and got a slot so far, in order.
 */
export interface SlotCase {
  title: string;
  limits?: Partial<OriginConnectionLimits>;
  steps: readonly (readonly [step: string, result: string])[];
}

/** Cases of how both engines limit the connections to one origin. */
export const SLOT_CASES: readonly SlotCase[] = [
  {
    title: 'a network is admitted up to its share, which leaves room for others',
    steps: [
      ...asks('a', ['1', '2'], 'now'),
      ['ask a 3', 'waits'],
      ...asks('b', ['4', '5'], 'now'),
      ['ask c 6', 'waits'],
    ],
  },
  {
    title: 'a network is limited only once connections are scarce',
    limits: { slotsMax: 8, sharedFrom: 4 },
    steps: [
      ...asks('office', ['1', '2', '3', '4'], 'now'),
      ['ask office 5', 'waits'],
      ...asks('b', ['6', '7'], 'now'),
      ['ask b 8', 'waits'],
      // Request 8 does not get the slot of request 1, because connections are still scarce after one release.
      ['leave 1', ''],
      ['leave 6', '8'],
      ['leave 2', '8'],
      ['leave 7', '8 5'],
    ],
  },
  {
    title: 'a release admits the network that has room in its share',
    limits: { sharedFrom: 3 },
    steps: [
      ...asks('a', ['1', '2', '3'], 'now'),
      ['ask a 4', 'waits'],
      ['ask b 5', 'now'],
      ['ask b 6', 'waits'],
      ['leave 1', '6'],
      ['leave 2', '6 4'],
    ],
  },
  {
    title: 'a network at its limit waits until one of its own requests ends',
    steps: [
      ...asks('a', ['1', '2'], 'now'),
      ...asks('a', ['3', '4', '5'], 'waits'),
      ...asks('b', ['6', '7'], 'now'),
      ['ask b 8', 'waits'],
      ['leave 6', '8'],
      ['leave 1', '8 3'],
      ['leave 2', '8 3 4'],
      ['leave 3', '8 3 4 5'],
    ],
  },
  {
    title: 'networks with equally few slots take turns, even if one network has more requests waiting',
    steps: [
      ...asks('a', ['1', '2'], 'now'),
      ...asks('b', ['3', '4'], 'now'),
      ...asks('c', ['5', '6', '7'], 'waits'),
      ['ask d 8', 'waits'],
      ['leave 1', '5'],
      ['leave 2', '5 8'],
      ['leave 3', '5 8 6'],
    ],
  },
  {
    title: 'the network with the fewest slots is first, even if another has waited longer',
    limits: { perNetworkMax: 3 },
    steps: [
      ...asks('a', ['1', '2'], 'now'),
      ...asks('b', ['3', '4'], 'now'),
      ['ask a 5', 'waits'],
      ['ask c 6', 'waits'],
      ['leave 3', '6'],
      ['leave 4', '6 5'],
    ],
  },
  {
    title: 'waiting requests are limited in total and for each network, and one that leaves makes room',
    steps: [
      ...asks('a', ['1', '2'], 'now'),
      ...asks('a', ['3', '4', '5'], 'waits'),
      ['ask a 6', 'full'],
      ...asks('b', ['7', '8'], 'now'),
      ['ask b 9', 'waits'],
      ['ask c 10', 'waits'],
      ['ask d 11', 'full'],
      ['leave 9', ''],
      ['ask d 11', 'waits'],
    ],
  },
];

function asks(network: string, names: readonly string[], result: string): (readonly [string, string])[] {
  return names.map((name) => [`ask ${network} ${name}`, result]);
}
