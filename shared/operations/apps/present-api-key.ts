import { timestamp } from '../../core/instant.ts';
import type { ApiKeyResource } from '../../schema/api-key.ts';
import type { ApiKey } from '../../store/accounts/api-keys.ts';

/** Returns an API key in the form of the API's lists (`docs/api.md#api-key`), without the key itself or its hash. */
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
