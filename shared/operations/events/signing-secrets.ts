import { sealedSecrets, type WebhookApp } from '../../core/apps/app.ts';
import type { AppId } from '../../core/ids.ts';
import type { Context } from '../context.ts';

/** Returns the secrets that sign webhooks. During a rotation these are the new secret and the previous one (`docs/api.md#webhooks`). */
export function openSigningSecrets(context: Context, app: WebhookApp): string[] {
  const { all } = sealedSecrets(app, context.clock.now());
  return all.map((sealed) => openOnce(context, app, sealed));
}

/** Returns the secret that signs requests to the origin: the one that the origin already accepts (`docs/api.md#authentication`). */
export function openAcceptedSecret(context: Context, app: WebhookApp): string {
  const { accepted } = sealedSecrets(app, context.clock.now());
  return openOnce(context, app, accepted);
}

/** Opens a secret only once for each loaded app, because the app may serve many deliveries or routes. */
function openOnce(context: Context, app: WebhookApp, sealed: string): string {
  const known = opened.get(app)?.get(sealed);
  if (known !== undefined) return known;
  const secret = context.secrets.open(sealed, sealedFor(app.id));
  opened.set(app, new Map(opened.get(app)).set(sealed, secret));
  return secret;
}

/** The key is the loaded app object, so entries disappear together with it. */
const opened = new WeakMap<WebhookApp, Map<string, string>>();

/** Returns the context that a signing secret is sealed for. */
export function sealedFor(appId: AppId): string {
  return `signing-secret:${appId}`;
}
