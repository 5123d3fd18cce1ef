import { makeApiKey } from '../../shared/core/apps/api-key.ts';
import type { App } from '../../shared/core/apps/app.ts';
import { parseOriginUrl, parseWebhookUrl, type UrlRules } from '../../shared/core/edge/origin-url.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { makeSigningSecret } from '../../shared/core/webhooks/signature.ts';
import { type AccountTerms, createAccount } from '../../shared/operations/accounts/create-account.ts';
import type { Context } from '../../shared/operations/context.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { getApp, updateApp } from '../../shared/store/accounts/apps.ts';
import { scheduleJob } from '../../shared/store/jobs/jobs.ts';
import { findFact, keepFact } from './emulator-facts.ts';

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

/** Where the default app leads, as whoever starts the emulator says; null where nothing is said. */
export interface DefaultTargets {
  origin: string | null;
  webhook: string | null;
}

/** As the API reads `origin_url` and `webhook_url`. @throws ServiceError `origin_not_allowed`, `validation_failed`. */
export function readTargets({ origin, webhook }: DefaultTargets, rules: UrlRules): DefaultTargets {
  return {
    origin: origin === null ? null : parseOriginUrl(origin, rules),
    webhook: webhook === null ? null : parseWebhookUrl(webhook, rules),
  };
}

/** Plan `scale`, 30 days old, card on file, so that no cap bites (`docs/emulator.md`). */
export async function createDefaultAccount(tx: Context, targets: DefaultTargets): Promise<void> {
  const now = tx.clock.now();
  const terms = settledTerms(now);
  const { app } = await createAccount(tx, { name: 'Emulator', terms, given: DEFAULT_SECRETS });
  await keepFact(tx.store, 'app_id', app.id);
  await keepFact(tx.store, 'cnames', {});
  await directDefaultApp(tx, targets);
  await scheduleJob(tx.store, { kind: 'prune', subject_id: 'store', app_id: null, due_at: now });
}

/** Gives the default app the targets that are said. */
export async function directDefaultApp(tx: Context, targets: DefaultTargets): Promise<void> {
  await directApp(tx, (await getDefaultApp(tx)).id, targets);
}

/** Gives an app the targets that are said, and has a new origin probed. */
export async function directApp(tx: Context, id: AppId, { origin, webhook }: DefaultTargets): Promise<void> {
  const app = await getApp(tx.store, id);
  if (webhook !== null) await updateApp(tx.store, app.id, { webhook_url: webhook });
  if (origin === null || origin === app.origin_url) return;
  await updateApp(tx.store, app.id, { origin_url: origin, ...UNPROBED });
  const due_at = tx.clock.now();
  await scheduleJob(tx.store, { kind: 'probe_origin', subject_id: app.id, app_id: app.id, due_at });
}

const UNPROBED = {
  origin_reachable: false,
  origin_latency_ms: null,
  origin_checked_at: null,
  origin_status_reason: null,
  origin_failures: 0,
} as const satisfies Partial<App>;

/** What a program is told of the default app. */
export interface DefaultApp {
  id: AppId;
  /** The newest of its signing secrets. */
  webhook_secret: string;
}

export async function readDefaultApp(context: Context): Promise<DefaultApp> {
  const app = await getDefaultApp(context);
  return { id: app.id, webhook_secret: openSigningSecrets(context, app)[0] ?? '' };
}

async function getDefaultApp({ store }: Context): Promise<App> {
  const id = await findFact(store, 'app_id');
  if (id === null) throw new ServiceError('internal_error', { message: 'There is no default app.' });
  return getApp(store, id as AppId);
}

/** An account that no limit of a new one touches. */
export function settledTerms(now: number): AccountTerms {
  return { plan: 'scale', trial_ends_at: null, card_on_file: true, created_at: now - 30 * DAY_MS };
}
