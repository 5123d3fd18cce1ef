import * as z from 'zod';
import { LIMITS } from '../core/limits.ts';
import {
  cursorQuery,
  limitQuery,
  listOf,
  modeSchema,
  nameSchema,
  nullableTimestamp,
  timestampSchema,
} from './fields.ts';

/** An API key (`docs/api.md#api-key`). */
export const apiKeySchema = z
  .object({
    id: z.string().describe('`key_…`'),
    name: z.string().describe('Label'),
    mode: modeSchema,
    prefix: z.string().describe('First 12 characters of the key'),
    last4: z.string().nullable().describe('Last 4 characters of the key'),
    created_at: timestampSchema,
    last_used_at: nullableTimestamp.describe('Updated at most once a minute'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyResource = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().describe('The full key. Only this response contains it') })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

export const apiKeyListSchema = listOf(apiKeySchema, 'ApiKeyList');
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;

/** The body of POST /v1/keys (`docs/api.md#keys`). */
export const createKeySchema = z.object({ name: nameSchema, mode: modeSchema }).meta({ id: 'CreateApiKey' });
export type CreateKey = z.infer<typeof createKeySchema>;

export const listKeysQuery = z.object({ limit: limitQuery, cursor: cursorQuery });
export type ListKeysQuery = z.infer<typeof listKeysQuery>;

/** The body of POST /v1/domains/{id}/connect-tokens (`docs/api.md#domains`). */
export const createConnectTokenSchema = z
  .object({
    expires_in_s: z
      .int()
      .min(LIMITS.connect_token_s_min)
      .max(LIMITS.connect_token_s_max)
      .default(LIMITS.connect_token_s_default)
      .describe('Seconds until the token expires'),
  })
  .meta({ id: 'CreateConnectToken' });
export type CreateConnectToken = z.infer<typeof createConnectTokenSchema>;

/** A token with which the component `<nameplate-connect>` shows one domain. */
export const connectTokenSchema = z
  .object({
    token: z.string().describe('`ct_…`. Only this response contains it'),
    domain_id: z.string().describe('The domain that the token shows'),
    expires_at: timestampSchema,
    base_url: z.string().describe('The `base-url` of the component'),
  })
  .meta({ id: 'ConnectToken' });
export type ConnectTokenResource = z.infer<typeof connectTokenSchema>;
