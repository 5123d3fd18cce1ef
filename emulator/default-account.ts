import { makeApiKey } from '../shared/core/api-key.ts';
import type { AppId } from '../shared/core/ids.ts';
import { DAY_MS } from '../shared/core/instant.ts';
import { makeSigningSecret } from '../shared/core/signature.ts';
import type { Context } from '../shared/operations/context.ts';
import { type AccountTerms, createAccount } from '../shared/operations/create-account.ts';
import { updateApp } from '../shared/store/apps.ts';
import { scheduleJob } from '../shared/store/jobs.ts';

const zeros = (bytes: number) => new Uint8Array(bytes);

/**
 * The same in every emulator, so that a team can write them into its own settings: they open nothing but a process on loopback.
 * They are made of zeros, which no scanner takes for a leak.
 */
export const DEFAULT_SECRETS = {
  test_key: makeApiKey('test', zeros),
  live_key: makeApiKey('live', zeros),
  signing_secret: makeSigningSecret(zeros),
} as const;

export interface DefaultAccount {
  origin: string | null;
  webhook: string | null;
}

/** Plan `scale`, 30 days old, card on file, so that no cap bites (`cli-and-emulator.md`, Control surface). */
export async function createDefaultAccount(
  context: Context,
  { origin, webhook }: DefaultAccount,
): Promise<AppId> {
  const now = context.clock.now();
  const { app } = await createAccount(context, {
    name: 'Emulator',
    terms: settledTerms(now),
    webhook_url: webhook,
    given: DEFAULT_SECRETS,
  });
  if (origin !== null) {
    await updateApp(context.store, app.id, { origin_url: origin });
    await scheduleJob(context.store, {
      kind: 'probe_origin',
      subject_id: app.id,
      app_id: app.id,
      due_at: now,
    });
  }
  await scheduleJob(context.store, { kind: 'prune', subject_id: 'store', app_id: null, due_at: now });
  return app.id;
}

/** An account that no limit of a new one touches. */
export function settledTerms(now: number): AccountTerms {
  return { plan: 'scale', trial_ends_at: null, card_on_file: true, created_at: now - 30 * DAY_MS };
}
