import type { AppId } from '../../core/ids.ts';
import { findSubscriptionByToken } from '../../store/accounts/mail-subscriptions.ts';
import { findDomainByConnectToken } from '../../store/domains/domains.ts';
import type { Context } from '../context.ts';

/** Returns the app that a token of a connect page, or of a link in its mail, belongs to. Null for an unknown token. */
export async function findTokenOwner({ store }: Context, token: string): Promise<AppId | null> {
  const owner =
    (await findDomainByConnectToken(store, token)) ?? (await findSubscriptionByToken(store, token));
  return owner?.app_id ?? null;
}
