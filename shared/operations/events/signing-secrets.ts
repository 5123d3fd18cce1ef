import { sealedSecrets, type WebhookApp } from '../../core/apps/app.ts';
import type { AppId } from '../../core/ids.ts';
import type { Context } from '../context.ts';

/** Returns the secrets that sign webhooks: during a rotation, the new secret and the previous one (`docs/api.md#webhooks`). */
export function openSigningSecrets(context: Context, app: WebhookApp): string[] {
  const { all } = sealedSecrets(app, context.clock.now());
  return all.map((sealed) => openOnce(context, app, sealed));
}

/** Decrypts a secret only once for each loaded app, because many deliveries may use it. */
function openOnce(context: Context, app: WebhookApp, sealed: string): string {
  const known = opened.get(app)?.get(sealed);
  if (known !== undefined) return known;
  const secret = context.secrets.open(sealed, sealedFor(app.id));
  opened.set(app, new Map(opened.get(app)).set(sealed, secret));
  return secret;
}

/** Decrypted secrets by app object and sealed text. An entry is garbage-collected together with its app object. */
const opened = new WeakMap<WebhookApp, Map<string, string>>();

/** Returns the text to which the encryption of a signing secret is bound. */
export function sealedFor(appId: AppId): string {
  return `signing-secret:${appId}`;
}
