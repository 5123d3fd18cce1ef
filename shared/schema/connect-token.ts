import * as z from 'zod';
import { LIMITS } from '../core/limits.ts';
import { timestampSchema } from './fields.ts';

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

/** A token for the component `<nameplate-connect>` and one domain. */
export const connectTokenSchema = z
  .object({
    token: z.string().describe('`ct_…`. Only this response contains it'),
    domain_id: z.string().describe('The domain that the token shows'),
    expires_at: timestampSchema,
    base_url: z.string().describe('The `base-url` of the component'),
  })
  .meta({ id: 'ConnectToken' });
export type ConnectTokenResource = z.infer<typeof connectTokenSchema>;
