import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import { getApp } from '../../store/accounts/apps.ts';
import type { Context } from '../context.ts';
import { openSigningSecrets } from '../events/signing-secrets.ts';

/** The signing secrets of an app. The previous one is null once its overlap has ended. */
export interface SigningSecrets {
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: string | null;
}

/** Returns the signing secrets of an app for its dashboard. */
export async function revealSecret(context: Context, appId: AppId): Promise<SigningSecrets> {
  const app = await getApp(context.store, appId);
  const [current = '', previous = null] = openSigningSecrets(context, app);
  return {
    signing_secret: current,
    previous_signing_secret: previous,
    previous_valid_until: previous === null ? null : timestamp(app.previous_valid_until),
  };
}
