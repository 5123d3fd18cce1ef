import { sealedSecrets } from '../../core/apps/app.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { makeSigningSecret } from '../../core/webhooks/signature.ts';
import type { RotatedSecret } from '../../schema/app.ts';
import { getApp, lockApp, updateApp } from '../../store/accounts/apps.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { openSigningSecrets, sealedFor } from '../events/signing-secrets.ts';

/** Refuses test keys, which may not rotate the signing secret (`docs/api.md#authentication`). */
export async function permitRotation(_context: Context, caller: Caller): Promise<void> {
  if (caller.mode === 'test') {
    throw new ServiceError('forbidden', { message: 'A test key may not rotate the signing secret.' });
  }
}

/**
 * `docs/api.md#apps`: POST /v1/apps/current/signing-secret/rotate. A second rotation within 24 hours replaces only the new secret. Origins
 * still accept the previous secret, whose 24 hours start again.
 */
export async function rotateSigningSecret(context: Context, caller: Caller): Promise<Answer<RotatedSecret>> {
  return effect(context, caller, async (tx) => {
    const app = await lockApp(tx.store, caller.app_id);
    const now = tx.clock.now();
    const signingSecret = makeSigningSecret(tx.random);
    const previousValidUntil = now + LIMITS.secret_overlap_ms;
    await updateApp(tx.store, app.id, {
      signing_secret: tx.secrets.seal(signingSecret, sealedFor(app.id)),
      previous_signing_secret: sealedSecrets(app, now).accepted,
      previous_valid_until: previousValidUntil,
    });
    tx.notices.publish({ kind: 'secret', app_id: app.id });
    tx.notices.publish({ kind: 'routes', app_id: app.id });
    return {
      status: 200,
      body: { signing_secret: signingSecret, previous_valid_until: timestamp(previousValidUntil) },
    };
  });
}

/** The signing secrets of an app. The previous secret is null once its 24 hours have passed. */
export interface SigningSecrets {
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: string | null;
}

/** Returns the signing secrets of an app, which the dashboard shows. */
export async function revealSecret(context: Context, appId: AppId): Promise<SigningSecrets> {
  const app = await getApp(context.store, appId);
  const [current = '', previous = null] = openSigningSecrets(context, app);
  return {
    signing_secret: current,
    previous_signing_secret: previous,
    previous_valid_until: previous === null ? null : timestamp(app.previous_valid_until),
  };
}
