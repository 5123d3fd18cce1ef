import { composeService } from '../../service/compose.ts';
import { updateCurrentApp } from '../../shared/operations/apps/update-app.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import { HOST } from '../edge/edge-under-test.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import { addActiveDomain } from '../service/acme/live-domain.ts';
import { migratedDatabase } from '../service/database/migrated-database.ts';
import { testConfig } from '../service/settings/test-config.ts';

/** A database with the active domains `HOST` and `APEX` and with a test domain. */
export interface ServiceScene {
  env: Record<string, string>;
  /** A key of the app that hostile visitors use. */
  liveKey: string;
  /** A key of another app, which has one domain. */
  neighbourKey: string;
  /** The hostname of the test domain, which the edge serves over plain HTTP. */
  testHost: string;
}

/** An apex domain. The edge redirects visitors of its `www.` name to the apex, which needs no origin. */
export const APEX = 'acme.org';

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

/**
 * Creates the database.
 * @param originUrl null for an app without an origin. The edge then responds with 503 for live domains, and uses the sandbox origin for
 * test domains.
 */
export async function createServiceScene(
  stack: AsyncDisposableStack,
  originUrl: string | null,
): Promise<ServiceScene> {
  const database = stack.use(await migratedDatabase());
  using ca = createThrowawayCa();
  const config = testConfig(database.url);
  const { context, close } = await composeService(config, QUIET);
  const terms = { plan: 'scale', card_on_file: true, trial_ends_at: null } as const;
  const { app, account, live_key: liveKey } = await openAccount(context, 'ada', { name: 'Acme', terms });
  if (liveKey === null) throw new Error('the plan allows no live key');
  const ids = { app_id: app.id, account_id: account.id, key_id: context.ids('key'), idempotency: null };
  const live = { ...ids, mode: 'live' } as const;
  if (originUrl !== null) await updateCurrentApp(context, live, { body: { origin_url: originUrl } });
  await addActiveDomain(context, live, ca, { hostname: HOST });
  await addActiveDomain(context, live, ca, { hostname: APEX, apex_redirect: 'www' });
  const id = await addActiveDomain(context, { ...ids, mode: 'test' }, ca, { hostname: 'test.acme.com' });
  const neighbour = await openAccount(context, 'ada', { name: 'Neighbour', terms });
  const theirs = {
    ...ids,
    app_id: neighbour.app.id,
    account_id: neighbour.account.id,
    mode: 'test',
  } as const;
  await addActiveDomain(context, theirs, ca, { hostname: 'neighbour.example.com' });
  await close();
  return {
    env: {
      DATABASE_URL: database.url,
      NAMEPLATE_RATE_PER_SECOND: '100000',
      NAMEPLATE_RATE_BURST: '1000000',
    },
    liveKey,
    neighbourKey: neighbour.test_key,
    testHost: `${id}.${config.settings.sandboxZone}`,
  };
}
