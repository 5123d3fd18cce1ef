import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import type { Mode } from '../../core/domains/status.ts';
import type { ApiKeyList, ListKeysQuery } from '../../schema/api-key.ts';
import { listApiKeys } from '../../store/accounts/api-keys.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { presentApiKey } from './present-api-key.ts';

/** Returns the modes whose keys the caller may see. `docs/api.md#keys`: a test key sees only test keys. */
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
