import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { type Context, transact } from '../context.ts';
import { openSigningSecrets } from '../events/signing-secrets.ts';

/** The signing secrets of an app. The previous one is null once its overlap has ended. */
export interface SigningSecrets {
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: string | null;
}

/** Returns the signing secrets of an app for its dashboard. It runs in a transaction, so that the audit log records the look. */
export async function revealSecret(context: Context, appId: AppId): Promise<SigningSecrets> {
  return transact(context, async (tx) => {
    const app = await getApp(tx.store, appId);
    const [current = '', previous = null] = openSigningSecrets(tx, app);
    return {
      signing_secret: current,
      previous_signing_secret: previous,
      previous_valid_until: previous === null ? null : timestamp(app.previous_valid_until),
    };
  });
}
