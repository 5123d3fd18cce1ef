import { checkLiveModeAllowed } from '../../core/accounts/account.ts';
import { ServiceError } from '../../core/errors.ts';
import type { CreatedApiKey, CreateKey } from '../../schema/api-key.ts';
import { addKey } from '../apps/create-key.ts';
import { presentApiKey } from '../apps/present-api-key.ts';
import type { Context } from '../context.ts';
import { getAccount } from './accounts.ts';
import { withAudit } from './with-audit.ts';

/**
 * Creates a key for an account's app. An account without a live key gets its first one here, because a test key cannot
 * create it.
 * @throws ServiceError `not_found`, or the reason why the account may have no live key.
 */
export async function createAccountKey(
  context: Context,
  actor: string,
  accountId: string,
  { name, mode }: CreateKey,
): Promise<CreatedApiKey> {
  const detail = { name, mode };
  return withAudit(context, { actor, action: 'key.create', subject: accountId, detail }, async (tx) => {
    const { account, apps } = await getAccount(tx, accountId);
    const [app] = apps;
    if (app === undefined) throw new ServiceError('not_found', { message: `${accountId} has no app.` });
    if (mode === 'live') checkLiveModeAllowed(account, tx.settings.plans, tx.clock.now());
    const { key, stored } = await addKey(tx, app.id, mode, name);
    return { ...presentApiKey(stored), key };
  });
}
