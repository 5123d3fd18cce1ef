import { ServiceError } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import { type OriginUrl, parseOriginUrl } from '../../core/net/origin-url.ts';
import { findRoutedDomains } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';

/**
 * Parses an origin that a customer gave and checks its addresses (`docs/api.md#apps`). A name that does not resolve is allowed: the
 * probe reports it, and the customer may be about to create it.
 * @throws ServiceError `origin_not_allowed`.
 */
export async function checkOrigin(context: Context, appId: AppId, input: string): Promise<OriginUrl> {
  const origin = parseOriginUrl(input, context.settings);
  const { hostname } = new URL(origin);
  // Only a routed hostname counts, because any app can add any hostname as a domain. That must not block its owner.
  const [holder] = await findRoutedDomains(context.store, [hostname]);
  if (holder !== undefined && holder.app_id !== appId) {
    throw new ServiceError('origin_not_allowed', {
      message: `${hostname} is a domain of another app and cannot be an origin.`,
    });
  }
  if ((await context.outbound.check(hostname)) === 'not_allowed') {
    throw new ServiceError('origin_not_allowed', {
      message: `${hostname} resolves to an address that is private, loopback, link-local, CGNAT or reserved.`,
    });
  }
  return origin;
}
