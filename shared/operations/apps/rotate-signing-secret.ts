import { sealedSecrets } from '../../core/apps/app.ts';
import { ServiceError } from '../../core/errors.ts';
import { timestamp } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { makeSigningSecret } from '../../core/webhooks/signature.ts';
import type { RotatedSecret } from '../../schema/app.ts';
import { lockApp, updateApp } from '../../store/accounts/apps.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { sealedFor } from '../events/signing-secrets.ts';

/** Refuses test keys, which may not rotate the signing secret (`docs/api.md#authentication`). */
export async function permitRotation(_context: Context, caller: Caller): Promise<void> {
  if (caller.mode === 'test') {
    throw new ServiceError('forbidden', { message: 'A test key may not rotate the signing secret.' });
  }
}

/**
 * `docs/api.md#apps`: POST /v1/apps/current/signing-secret/rotate. A second rotation within 24 hours replaces the new secret only: the
 * previous one remains the secret that origins accept, and its 24 hours start again.
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
