import { checkLiveModeAllowed } from '../../core/accounts/account.ts';
import { hashApiKey, keyPrefix, last4, makeApiKey } from '../../core/apps/api-key.ts';
import { BUDGETS } from '../../core/budgets.ts';
import type { Mode } from '../../core/domains/status.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import type { CreatedApiKey, CreateKey } from '../../schema/api-key.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { type ApiKey, countKeys, insertApiKey } from '../../store/accounts/api-keys.ts';
import { checkCardForLiveKey } from '../billing/check-card.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { spend } from '../spend.ts';
import { presentApiKey } from './present-api-key.ts';

/** `docs/api.md#keys`: POST /v1/keys. The full key appears in this response and nowhere else. */
export async function createKey(
  context: Context,
  caller: Caller,
  input: { body: CreateKey },
): Promise<Answer<CreatedApiKey>> {
  const { name, mode } = input.body;
  if (mode === 'live' && caller.mode === 'test') {
    throw new ServiceError('forbidden', { message: 'A test key can only create test keys.' });
  }
  if (mode === 'live') await checkCardForLiveKey(context, caller.account_id);
  return effect(context, caller, async (tx) => {
    // While the account's row is locked, no other request adds a key to it.
    const account = await lockAccount(tx.store, caller.account_id);
    if (mode === 'live') checkLiveModeAllowed(account, tx.settings.plans, tx.clock.now());
    if ((await countKeys(tx.store, account.id, ['live', 'test'])) >= BUDGETS.keys.limit) {
      const message = `the account has ${BUDGETS.keys.limit} keys; revoke those that are no longer used`;
      throw validationFailed({ path: 'mode', message });
    }
    await spend(tx, 'keys_created', account.id);
    const { key, stored } = await addKey(tx, caller.app_id, mode, name);
    return { status: 201, body: { ...presentApiKey(stored), key } };
  });
}

/** Creates and stores a key. @param given a known key to store instead of a random one. */
export async function addKey(
  tx: Context,
  appId: AppId,
  mode: Mode,
  name: string,
  given?: string,
): Promise<{ key: string; stored: ApiKey }> {
  const key = given ?? makeApiKey(mode, tx.random);
  const stored: ApiKey = {
    id: tx.ids('key'),
    app_id: appId,
    name,
    mode,
    prefix: keyPrefix(key),
    last4: last4(key),
    hash: hashApiKey(key),
    created_at: tx.clock.now(),
    last_used_at: null,
    revoked_at: null,
  };
  await insertApiKey(tx.store, stored);
  return { key, stored };
}
