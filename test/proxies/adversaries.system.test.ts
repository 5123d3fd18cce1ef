import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADVERSARIES, startAdversary } from './adversaries.ts';
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts';

describe("another operator's site", () => {
  let world: ProxyWorld;
  beforeAll(async () => {
    world = await startProxyWorld([]);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test.each(ADVERSARIES.map(([title, hop, adversary], index) => ({ title, hop, adversary, index })))(
    'that $title is not mistaken for a proxy of our customer',
    async ({ hop, adversary, index }) => {
      const address = `127.88.9.${index + 1}`;
      await using site = await startAdversary(world, address, adversary);
      const follow = () => world.probe.follow('careers.after.test', [address], world.serial);
      const [first, second] = [await follow(), await follow()];
      // The site got real signed responses from our edge, and still the probe does not take the site for a proxy.
      expect(site.receipts()).toBeGreaterThan(0);
      expect([first, second]).toMatchObject([
        { hop, leads_here: false },
        { hop, leads_here: false },
      ]);
    },
  );
});
