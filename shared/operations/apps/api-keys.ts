import { checkLiveModeAllowed } from '../../core/accounts/account.ts';
import { hashApiKey, keyPrefix, last4, makeApiKey } from '../../core/apps/api-key.ts';
import { BUDGETS } from '../../core/budgets.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import type { Mode } from '../../core/domains/status.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import type {
  ApiKeyList,
  ApiKeyResource,
  CreatedApiKey,
  CreateKey,
  ListKeysQuery,
} from '../../schema/api-key.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import {
  type ApiKey,
  countKeys,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../store/accounts/api-keys.ts';
import { checkCardForLiveKey } from '../billing/billing-provider.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { spend } from '../spend.ts';

/** `docs/api.md#keys`: DELETE /v1/keys/{id}. Every node refuses the key within 5 seconds. */
export async function revokeKey(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<null>> {
  return transact(context, async (tx) => {
    const modes = visibleModes(caller);
    const key = await revokeApiKey(tx.store, caller.app_id, modes, input.params.id, tx.clock.now());
    if (key === null) throw new ServiceError('not_found');
    tx.notices.publish({ kind: 'credentials', app_id: caller.app_id });
    return { status: 204, body: null };
  });
}

/** Returns the modes whose keys the caller may list. With a test key, the caller may list only test keys (`docs/api.md#keys`). */
export function visibleModes(caller: Caller): readonly Mode[] {
  return caller.mode === 'test' ? ['test'] : ['live', 'test'];
}

/** `docs/api.md#keys`: GET /v1/keys. */
export async function listKeys(
  context: Context,
  caller: Caller,
  input: { query: ListKeysQuery },
): Promise<Answer<ApiKeyList>> {
  const { limit, cursor } = input.query;
  const identity: ListIdentity = ['keys', caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  const page = await listApiKeys(context.store, caller.app_id, visibleModes(caller), { limit, after });
  return {
    status: 200,
    body: { data: page.rows.map(presentApiKey), next_cursor: page.next && encodeCursor(identity, page.next) },
  };
}

/** Returns the JSON that describes an API key in lists (`docs/api.md#api-key`), without the key itself or its hash. */
export function presentApiKey(key: ApiKey): ApiKeyResource {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    last4: key.last4,
    created_at: timestamp(key.created_at),
    last_used_at: timestamp(key.last_used_at),
  };
}

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
    // While the account's row is locked, no other request can add a key to the account.
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

/** Creates and stores a key. @param given the key to store, instead of a random one. */
export async function addKey(
  tx: TxContext,
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
