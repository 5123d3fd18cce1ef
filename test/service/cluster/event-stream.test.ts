import { expect, test } from 'vitest';
import { startNode } from '../../../service/node.ts';
import { createClient } from '../../../shared/client/client.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

test('a client streams the events of changes at another node, and resumes at another node when its own node stops', async () => {
  await using database = await migratedDatabase();
  const config = testConfig(database.url, { NAMEPLATE_ROLES: 'api' });
  const [one, other] = [await startNode(config, QUIET), await startNode(config, QUIET)];
  const url = (node: typeof one) => `http://127.0.0.1:${node.addresses.api?.port}`;
  const { test_key: apiKey } = await openAccount(one.composition.context, 'test', {
    name: 'Acme',
    terms: {
      plan: 'scale',
      trial_ends_at: null,
      card_on_file: true,
      created_at: Date.now() - 40 * 24 * 3_600_000,
    },
  });
  const writer = createClient({ apiKey, baseUrl: url(other) });
  // Sends requests to the node `at`, as a load balancer sends a returning client to another node.
  let at = one;
  const fetch: typeof globalThis.fetch = (address, init) =>
    globalThis.fetch(String(address).replace(/^http:\/\/[^/]+/, url(at)), init);
  const ending = new AbortController();
  const lost: (string | null)[] = [];
  const followed = createClient({ apiKey, baseUrl: url(one), fetch }).events.follow({
    signal: ending.signal,
    onConnection: (error) => void lost.push(error?.name ?? null),
  });
  const first = followed.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { id } = await writer.domains.create({ hostname: 'careers.acme.com' });
  expect((await first).value).toMatchObject({ type: 'domain.created', domain_id: id });

  at = other;
  const second = followed.next();
  const stoppingAt = performance.now();
  await one.stop();
  // The open event stream must not delay the stop: 8 s is much less than the time that running requests have to finish.
  expect(performance.now() - stoppingAt).toBeLessThan(8_000);
  await writer.domains.delete(id);
  expect((await second).value).toMatchObject({ type: 'domain.deleted', domain_id: id });
  ending.abort();
  expect((await followed.next()).done).toBe(true);
  await other.stop();
});
