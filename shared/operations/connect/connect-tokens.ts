import type { Domain } from '../../core/domains/domain.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AppId, DomainId, KeyId } from '../../core/ids.ts';
import { type Instant, timestamp } from '../../core/instant.ts';
import type { ConnectTokenResource, CreateConnectToken } from '../../schema/api-key.ts';
import { isActiveKey } from '../../store/accounts/api-keys.ts';
import { findDomain, findDomainById } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { effect } from '../domains/effect.ts';

/** The rights of a connect token: to read one domain and to request a check of it. */
export interface ConnectGrant {
  app_id: AppId;
  domain_id: DomainId;
  /** The API key that created the token. When the key is revoked, the token stops working. */
  key_id: KeyId;
  expires_at: Instant;
}

const PREFIX = 'ct_';
const BOUND_TO = 'connect token';
const CHARS_MAX = 512;

/**
 * `docs/api.md#domains`: POST /v1/domains/{id}/connect-tokens. The token itself contains the encrypted rights, so the server stores nothing
 * (`decisions/0052`).
 */
export async function createConnectToken(
  context: Context,
  caller: Caller,
  input: { params: { id: string }; body: CreateConnectToken },
): Promise<Answer<ConnectTokenResource>> {
  return effect(context, caller, async (tx) => {
    const domain = await findDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    const expiresAt = tx.clock.now() + input.body.expires_in_s * 1000;
    const grant = [domain.app_id, domain.id, caller.key_id, expiresAt];
    const body = {
      token: `${PREFIX}${tx.secrets.seal(JSON.stringify(grant), BOUND_TO)}`,
      domain_id: domain.id,
      expires_at: timestamp(expiresAt),
      base_url: tx.settings.baseUrl,
    };
    return { status: 201, body };
  });
}

/**
 * Decrypts a token without a query, so that made-up tokens use no database connection.
 * @param token null if the request has none.
 * @throws ServiceError `unauthorized` for a token that is missing, made up or expired.
 */
export function openConnectToken(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  token: string | null,
): ConnectGrant {
  const grant = token?.startsWith(PREFIX) && token.length <= CHARS_MAX ? open(secrets, token) : null;
  if (grant === null || grant.expires_at <= clock.now()) throw invalidToken();
  return grant;
}

/**
 * Returns the domain of a grant. Also returns a deleted domain, whose page says that it was deleted.
 * @throws ServiceError `unauthorized` if the key of the token is revoked, or the domain no longer exists.
 */
export async function findGrantedDomain({ store }: Context, grant: ConnectGrant): Promise<Domain> {
  if (!(await isActiveKey(store, grant.key_id))) throw invalidToken();
  const domain = await findDomainById(store, grant.domain_id);
  if (domain?.app_id !== grant.app_id) throw invalidToken();
  return domain;
}

function open(secrets: Context['secrets'], token: string): ConnectGrant | null {
  try {
    const [appId, domainId, keyId, expiresAt] = JSON.parse(
      secrets.open(token.slice(PREFIX.length), BOUND_TO),
    );
    return { app_id: appId, domain_id: domainId, key_id: keyId, expires_at: expiresAt };
  } catch {
    // Decryption fails for a made-up token.
    return null;
  }
}

function invalidToken(): ServiceError {
  return new ServiceError('unauthorized', {
    message: 'The connect token is missing, invalid, expired or revoked.',
    fix: 'Let your server create a new one with POST /v1/domains/{id}/connect-tokens.',
  });
}
