import type { App } from '../../shared/core/apps/app.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { parseOriginUrl, parseWebhookUrl } from '../../shared/core/net/origin-url.ts';
import type { TxContext } from '../../shared/operations/context.ts';
import { getApp, updateApp } from '../../shared/store/accounts/apps.ts';
import { changeAppAccount, setAppUrls } from '../state/default-account.ts';
import { type SeededApp, seedApp } from './seed-app.ts';
import { seedDomain } from './seed-domain.ts';
import { at } from './seed-problem.ts';
import type { ReadSeed } from './seed-schema.ts';

/**
 * Creates or changes what a seed names, in the caller's transaction. Applying the same seed again changes nothing. Apps and domains that
 * the seed does not name stay unchanged.
 * @returns the apps that the seed names, with their API keys and secrets.
 * @throws ServiceError `validation_failed` whose fields are paths in the seed.
 */
export async function applySeed(tx: TxContext, defaultApp: AppId, seed: ReadSeed): Promise<SeededApp[]> {
  const { account, app, apps = [], domains = [], events = [] } = seed;
  if (account !== undefined) await at('account', () => changeAppAccount(tx, defaultApp, account));
  if (app !== undefined) await at('app', () => changeApp(tx, defaultApp, app));
  const named = new Map<string, SeededApp>();
  for (const [index, each] of apps.entries()) {
    const path = `apps.${index}`;
    if (named.has(each.name))
      throw validationFailed({ path: `${path}.name`, message: 'is already the name of another entry' });
    const seeded = await at(path, () => seedApp(tx, defaultApp, each));
    await at(path, () => changeApp(tx, seeded.id, each));
    named.set(each.name, seeded);
  }

  /** Finds the app that an entry belongs to. */
  async function appOf(path: string, name: string | undefined): Promise<App> {
    const id = name === undefined ? defaultApp : named.get(name)?.id;
    if (id !== undefined) return getApp(tx.store, id);
    const message = `there is no app ${JSON.stringify(name)} in apps; add {name: ${name}} there`;
    throw validationFailed({ path: `${path}.app`, message });
  }

  const key = (name: string | undefined, hostname: string) => JSON.stringify([name ?? null, hostname]);
  const histories = Map.groupBy(
    events.map((event, index) => ({ event, path: `events.${index}` })),
    ({ event }) => key(event.app, event.hostname),
  );
  for (const [index, domain] of domains.entries()) {
    const path = `domains.${index}`;
    const owner = await appOf(path, domain.app);
    const history = histories.get(key(domain.app, domain.hostname)) ?? [];
    histories.delete(key(domain.app, domain.hostname));
    await seedDomain(tx, owner, domain, { path, history });
  }
  for (const [{ event, path } = { event: null, path: '' }] of histories.values()) {
    const message = `${event?.hostname} is not in domains; add {hostname: ${event?.hostname}} there`;
    throw validationFailed({ path: `${path}.hostname`, message });
  }
  return [...named.values()];
}

type AppFields = Pick<App, 'name' | 'origin_url' | 'webhook_url' | 'apex_redirect_default'>;

async function changeApp(
  tx: TxContext,
  id: AppId,
  {
    name,
    origin_url,
    webhook_url,
    apex_redirect_default,
  }: { [K in keyof AppFields]?: AppFields[K] | undefined },
): Promise<void> {
  const change: Partial<App> = {};
  if (name !== undefined) change.name = name;
  if (apex_redirect_default !== undefined) change.apex_redirect_default = apex_redirect_default;
  if (webhook_url === null) change.webhook_url = null;
  if (origin_url === null) change.origin_url = null;
  if (Object.keys(change).length > 0) await updateApp(tx.store, id, change);
  await setAppUrls(tx, id, {
    origin: origin_url ? await at('origin_url', async () => parseOriginUrl(origin_url, tx.settings)) : null,
    webhook: webhook_url ? parseWebhookUrl(webhook_url, tx.settings) : null,
  });
}
