import { expect, test } from 'vitest';
import type { App } from '../../../shared/core/apps/app.ts';
import {
  findApp,
  findAppsByVerifiedHost,
  getApp,
  getApps,
  getWebhookApps,
  insertApp,
  listAppsOfAccount,
  lockApp,
  updateApp,
} from '../../../shared/store/accounts/apps.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { anApp, NOW, newId } from '../rows.ts';

const CHANGES: Omit<App, 'id' | 'account_id' | 'created_at'> = {
  name: 'Jobs',
  origin_url: 'https://origin.example.com',
  origin_reachable: true,
  origin_latency_ms: 12,
  origin_checked_at: NOW + 1,
  origin_status_reason: 'origin_http_error',
  origin_failures: 3,
  webhook_url: 'https://hooks.example.com/a?b=c',
  webhook_epoch: 3,
  whitelabel_host: 'edge.acme.com',
  whitelabel_verified: true,
  whitelabel_found: 'elsewhere.example.com',
  whitelabel_set_at: NOW + 2,
  whitelabel_checked_at: NOW + 3,
  whitelabel_grace_ends_at: NOW + 4,
  target_label: 'other-label',
  apex_redirect_default: 'www',
  brand_color: '#1f4fd1',
  brand_logo: 'data:image/png;base64,AAAA',
  support_url: 'https://help.acme.com/',
  return_url: 'https://app.acme.com/',
  allow_proxied: false,
  signing_secret: 'sealed anew',
  previous_signing_secret: 'sealed before',
  previous_valid_until: NOW + 5,
};

export function appTests(store: () => Tx): void {
  test.each([anApp(), anApp({ ...CHANGES })])('reads an app as it was written: %j', async (app) => {
    await insertApp(store(), app);
    expect(await findApp(store(), app.id)).toEqual(app);
    expect(await getApp(store(), app.id)).toEqual(app);
    expect(await lockApp(store(), app.id)).toEqual(app);
    expect(await getApps(store(), [app.id, app.id, newId('app')])).toEqual(new Map([[app.id, app]]));
    const { id, webhook_url, webhook_epoch, signing_secret, previous_signing_secret, previous_valid_until } =
      app;
    const secrets = { signing_secret, previous_signing_secret, previous_valid_until };
    const ofWebhooks = { id, webhook_url, webhook_epoch, ...secrets };
    expect(await getWebhookApps(store(), [id, id, newId('app')])).toEqual(new Map([[id, ofWebhooks]]));
  });

  test('an unknown app is null, and can be neither read nor locked', async () => {
    await insertApp(store(), anApp());
    const id = newId('app');
    expect(await findApp(store(), id)).toBeNull();
    await expect(getApp(store(), id)).rejects.toThrow();
    await expect(lockApp(store(), id)).rejects.toThrow();
  });

  test.each(Object.entries(CHANGES))('an update changes only %s', async (field, value) => {
    const app = anApp();
    const other = anApp();
    await insertApp(store(), app);
    await insertApp(store(), other);
    await updateApp(store(), app.id, { [field]: value });
    expect(await findApp(store(), app.id)).toEqual({ ...app, [field]: value });
    expect(await findApp(store(), other.id)).toEqual(other);
  });

  test('an update can clear flags and nullable fields', async () => {
    const app = anApp({ ...CHANGES });
    await insertApp(store(), app);
    const change = {
      origin_reachable: false,
      whitelabel_verified: false,
      whitelabel_host: null,
      webhook_url: null,
    };
    await updateApp(store(), app.id, change);
    expect(await findApp(store(), app.id)).toEqual({ ...app, ...change, webhook_epoch: 4 });
  });

  test('finds the apps that have a white-label host verified, not those that only name it', async () => {
    const app = anApp({ whitelabel_host: 'edge.acme.com', whitelabel_verified: true });
    await insertApp(store(), anApp());
    await insertApp(store(), anApp({ whitelabel_host: 'edge.acme.com' }));
    await insertApp(store(), app);
    expect(await findAppsByVerifiedHost(store(), 'edge.acme.com')).toEqual([app]);
    expect(await findAppsByVerifiedHost(store(), 'edge.acme.co')).toEqual([]);
  });

  test('lists the apps of an account in the order of their ids', async () => {
    const accountId = newId('acc');
    const apps = [anApp({ account_id: accountId }), anApp({ account_id: accountId, ...CHANGES })];
    for (const app of [...apps.toReversed(), anApp()]) await insertApp(store(), app);
    expect(await listAppsOfAccount(store(), accountId)).toEqual(apps);
    expect(await listAppsOfAccount(store(), newId('acc'))).toEqual([]);
  });

  test('refuses a second app with the same target label', async () => {
    await insertApp(store(), anApp({ target_label: 'a1' }));
    await expect(insertApp(store(), anApp({ target_label: 'a1' }))).rejects.toThrow();
  });

  test('20 that add one under the lock lose none', async () => {
    const app = anApp();
    await insertApp(store(), app);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        inTransaction(store(), async (tx) => {
          const { origin_failures } = await lockApp(tx, app.id);
          await updateApp(tx, app.id, { origin_failures: origin_failures + 1 });
        }),
      ),
    );
    expect((await getApp(store(), app.id)).origin_failures).toBe(20);
  });
}
