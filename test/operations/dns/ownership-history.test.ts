import { expect, test } from 'vitest';
import { runHistory } from './ownership-history.ts';

const STEPS = 250;

test.each([
  [1, 'careers.acme.com'],
  [2, 'acme.com'],
  [3, 'careers.acme.com'],
  [4, 'acme.com'],
])(
  'in the random history %i of the hostname %s, the rules of ownership hold after each step',
  async (seed, hostname) => {
    const { steps, changes } = await runHistory({ seed, steps: STEPS, hostname });
    expect(steps).toBe(STEPS);
    expect(changes).toBeGreaterThan(0);
  },
);
