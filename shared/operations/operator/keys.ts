import { checkLiveModeAllowed } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import { MODES } from '../../core/domains/status.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { ApiKeyResource, CreatedApiKey, CreateKey } from '../../schema/api-key.ts';
import { listApiKeys, revokeApiKey } from '../../store/accounts/api-keys.ts';
import { addKey, presentApiKey } from '../apps/api-keys.ts';
import { checkCardForLiveKey } from '../billing/billing-provider.ts';
import type { Context } from '../context.ts';
import { getAccount } from './accounts.ts';
import { withAudit } from './with-audit.ts';

export interface AccountKey extends ApiKeyResource {
  app_id: string;
}

/**
 * Creates an API key for an account's app. An account without a live key needs this, because the API creates no live key with a test key.
 * @param appId required if the account has several apps.
 * @throws ServiceError `not_found`, `validation_failed`, or the error that says why the account may have no live key.
 */
export async function createAccountKey(
  context: Context,
  actor: string,
  accountId: string,
  { name, mode, app: appId }: CreateKey & { app?: string },
): Promise<CreatedApiKey> {
  const detail = { name, mode };
  if (mode === 'live') await checkCardForLiveKey(context, accountId as AccountId);
  return withAudit(context, { actor, action: 'key.create', subject: accountId, detail }, async (tx) => {
    const { account, apps } = await getAccount(tx, accountId);
    const app = chooseApp(apps, account.id, appId);
    if (mode === 'live') checkLiveModeAllowed(account, tx.settings.plans, tx.clock.now());
    const { key, stored } = await addKey(tx, app.id, mode, name);
    return { ...presentApiKey(stored), key };
  });
}

/** Lists the active keys of an account's apps, by app, the newest first. @throws ServiceError `not_found`. */
export async function listAccountKeys(
  context: Context,
  accountId: string,
  limit: number,
): Promise<AccountKey[]> {
  const { apps } = await getAccount(context, accountId);
  const pages = await Promise.all(
    apps.map(({ id }) => listApiKeys(context.store, id, MODES, { limit, after: null })),
  );
  const keys = pages.flatMap(({ rows }) => rows);
  return keys.slice(0, limit).map((key) => ({ ...presentApiKey(key), app_id: key.app_id }));
}

/** Revokes an API key of an account. Every node refuses the key within 5 seconds. @throws ServiceError `not_found`. */
export async function revokeAccountKey(
  context: Context,
  actor: string,
  accountId: string,
  keyId: string,
): Promise<void> {
  const detail = { key: keyId };
  await withAudit(context, { actor, action: 'key.revoke', subject: accountId, detail }, async (tx) => {
    const { apps } = await getAccount(tx, accountId);
    for (const { id } of apps) {
      if ((await revokeApiKey(tx.store, id, MODES, keyId, tx.clock.now())) === null) continue;
      tx.notices.publish({ kind: 'credentials', app_id: id });
      return;
    }
    throw new ServiceError('not_found', {
      message: `${accountId} has no active key ${keyId}.`,
      fix: 'List the keys of the account to see their ids.',
    });
  });
}

function chooseApp(apps: readonly App[], accountId: string, appId: string | undefined): App {
  const [first, ...others] = apps;
  const ids = apps.map(({ id }) => id).join(', ');
  if (appId === undefined && others.length > 0)
    throw validationFailed({
      path: 'app',
      message: `must be one of ${ids}, because the account has several`,
    });
  const app = appId === undefined ? first : apps.find(({ id }) => id === appId);
  if (app !== undefined) return app;
  throw new ServiceError('not_found', {
    message: appId === undefined ? `${accountId} has no app.` : `${accountId} has no app ${appId}.`,
    fix: apps.length > 0 ? `Use one of ${ids}.` : 'Create an app for the account.',
  });
}
