import { type App, sealedSecrets } from '../../core/apps/app.ts';
import type { AppId } from '../../core/ids.ts';
import type { Context } from '../context.ts';

/** What webhooks are signed with: during a rotation the new secret and the previous one (section 6). */
export function openSigningSecrets(context: Context, app: App): string[] {
  const { all } = sealedSecrets(app, context.clock.now());
  return all.map((sealed) => openOnce(context, app, sealed));
}

/** What requests to the origin are signed with: the secret that it already accepts (section 5.7). */
export function openAcceptedSecret(context: Context, app: App): string {
  const { accepted } = sealedSecrets(app, context.clock.now());
  return openOnce(context, app, accepted);
}

/** An app that was read once for many deliveries, or many routes, has its secrets opened once. */
function openOnce(context: Context, app: App, sealed: string): string {
  const known = opened.get(app)?.get(sealed);
  if (known !== undefined) return known;
  const secret = context.secrets.open(sealed, sealedFor(app.id));
  opened.set(app, new Map(opened.get(app)).set(sealed, secret));
  return secret;
}

/** By the app as it was read: forgotten with it. */
const opened = new WeakMap<App, Map<string, string>>();

/** What a sealed signing secret is bound to. */
export function sealedFor(app_id: AppId): string {
  return `signing-secret:${app_id}`;
}
