import { cnameTarget } from '../../core/apps/app.ts';
import { challengeUrl } from '../../core/certificates/acme-challenge.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { SECOND_MS } from '../../core/instant.ts';
import { findApp } from '../../store/accounts/apps.ts';
import type { Context, Issuance } from '../context.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** The status codes of redirects that certificate authorities follow. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NONCE_BYTES = 32;

/**
 * Returns the host at which our edge answers a domain's challenges if the hostname's old host redirects them. Each app has a host of its
 * own, so a redirect to one app's host cannot serve another app.
 */
export async function redirectTarget(
  { store, settings }: Pick<Context, 'store' | 'settings'>,
  { app_id }: Pick<Domain, 'app_id'>,
): Promise<string | null> {
  const app = await findApp(store, app_id);
  return app && cnameTarget(app, settings.edgeZone);
}

/**
 * Returns whether the hostname's current host redirects challenges to us and keeps their path. HTTP-01 follows such redirects (RFC 8555
 * section 8.3). The test path ends with random bytes, so that a fixed redirect target cannot match. This function does not follow the
 * redirect.
 * @returns false also if the host did not respond, because that proves nothing.
 */
export async function isRedirected(
  context: Pick<Context, 'store' | 'settings' | 'random'>,
  { oldHosts }: Pick<Issuance, 'oldHosts'>,
  domain: Pick<Domain, 'app_id' | 'hostname'>,
): Promise<boolean> {
  const target = await redirectTarget(context, domain);
  if (target === null) return false;
  const nonce = Buffer.from(context.random(NONCE_BYTES)).toString('base64url');
  const answer = await oldHosts.send({
    method: 'GET',
    url: challengeUrl(domain.hostname, nonce),
    headers: { 'User-Agent': context.settings.names.probe_user_agent },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: 1024,
  });
  if (!answer.ok || !REDIRECTS.has(answer.status_code)) return false;
  const { location } = answer.headers;
  return typeof location === 'string' && URL.parse(location)?.href === challengeUrl(target, nonce);
}
