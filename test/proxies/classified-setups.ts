import { expect, test } from 'vitest';
import type { Setup } from './fronts.ts';
import type { ProxyWorld } from './proxy-world.ts';

/** Tests that a probe classifies each setup correctly. */
export function classificationTests(setups: readonly Setup[], world: () => ProxyWorld): void {
  const titled = setups.map((setup) => ({ ...setup, title: setup.front.title }));
  test.concurrent.each(titled)(
    'a probe classifies $program with $title, $stage the certificate',
    async ({ front, address, hostname, stage }) => {
      const { probe, serial } = world();
      const { hop, leads_here } = await probe.follow(hostname, [address], stage === 'after' ? serial : null);
      expect(`${hop}${leads_here ? '!' : ''}`).toBe(front[stage]);
    },
  );
}
