import type * as z from 'zod';
import type { Account } from '../../shared/core/accounts/account.ts';
import { makeApiKey } from '../../shared/core/apps/api-key.ts';
import type { App } from '../../shared/core/apps/app.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { parseOriginUrl, parseWebhookUrl, type UrlRules } from '../../shared/core/net/origin-url.ts';
import { makeSigningSecret } from '../../shared/core/webhooks/signature.ts';
import { type AccountTerms, createAccount } from '../../shared/operations/accounts/create-account.ts';
import type { Context, TxContext } from '../../shared/operations/context.ts';
import { changeTerms } from '../../shared/operations/domains/change-terms.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { getApp, updateApp } from '../../shared/store/accounts/apps.ts';
import { deleteOriginProbes } from '../../shared/store/accounts/origin-probes.ts';
import { scheduleJob } from '../../shared/store/jobs/jobs.ts';
import type { accountSchema } from './account-schema.ts';
import { findFact, saveFact } from './emulator-facts.ts';

const zeros = (bytes: number) => new Uint8Array(bytes);

/**
 * Default secrets, identical in every emulator, so that a team can write them into its settings. These secrets only give access to a
 * process on loopback. Their random bytes are all zero, so that secret scanners do not report them.
 */
export const DEFAULT_SECRETS = {
  test_key: makeApiKey('test', zeros),
  live_key: makeApiKey('live', zeros),
  signing_secret: makeSigningSecret(zeros),
} as const;

/** The URLs that the user gave the default app when the emulator started; null if not given. */
export interface DefaultTargets {
  origin: string | null;
  webhook: string | null;
}

/** Parses the URLs as the API parses `origin_url` and `webhook_url`. @throws ServiceError `origin_not_allowed`, `validation_failed`. */
export function readTargets({ origin, webhook }: DefaultTargets, rules: UrlRules): DefaultTargets {
  return {
    origin: origin === null ? null : parseOriginUrl(origin, rules),
    webhook: webhook === null ? null : parseWebhookUrl(webhook, rules),
  };
}

/**
 * Creates the default account: plan `scale`, 30 days old, with a card on file, so that no limit of a new account applies
 * (`docs/emulator.md`).
 */
export async function createDefaultAccount(tx: TxContext, targets: DefaultTargets): Promise<void> {
  const now = tx.clock.now();
  const terms = establishedTerms(now);
  const { app } = await createAccount(tx, { name: 'Emulator', terms, given: DEFAULT_SECRETS });
  await saveFact(tx.store, 'app_id', app.id);
  await saveFact(tx.store, 'cnames', {});
  await setDefaultAppUrls(tx, targets);
  await scheduleJob(tx.store, { kind: 'prune', subject_id: 'store', app_id: null, due_at: now });
}

/** Sets the given URLs on the default app. */
export async function setDefaultAppUrls(tx: TxContext, targets: DefaultTargets): Promise<void> {
  await setAppUrls(tx, (await getDefaultApp(tx)).id, targets);
}

/** Sets the given URLs on an app. If the origin has changed, schedules a probe of it. */
export async function setAppUrls(
  tx: TxContext,
  id: AppId,
  { origin, webhook }: DefaultTargets,
): Promise<void> {
  const app = await getApp(tx.store, id);
  if (webhook !== null) await updateApp(tx.store, app.id, { webhook_url: webhook });
  if (origin === null || origin === app.origin_url) return;
  await updateApp(tx.store, app.id, { origin_url: origin, ...UNPROBED });
  await deleteOriginProbes(tx.store, app.id);
  const dueAt = tx.clock.now();
  await scheduleJob(tx.store, { kind: 'probe_origin', subject_id: app.id, app_id: app.id, due_at: dueAt });
}

const UNPROBED = {
  origin_reachable: false,
  origin_latency_ms: null,
  origin_checked_at: null,
  origin_status_reason: null,
  origin_failures: 0,
} as const satisfies Partial<App>;

/** The properties of the default app that programs can read. */
export interface DefaultApp {
  id: AppId;
  /** The newest of the app's signing secrets. */
  webhookSecret: string;
}

export async function readDefaultApp(context: Context): Promise<DefaultApp> {
  const app = await getDefaultApp(context);
  return { id: app.id, webhookSecret: openSigningSecrets(context, app)[0] ?? '' };
}

async function getDefaultApp({ store }: Context): Promise<App> {
  const id = await findFact(store, 'app_id');
  if (id === null) throw new ServiceError('internal_error', { message: 'There is no default app.' });
  return getApp(store, id as AppId);
}

/** Returns the terms of an established account, to which no limit of a new account applies. */
export function establishedTerms(now: number): AccountTerms {
  return { plan: 'scale', trial_ends_at: null, card_on_file: true, created_at: now - 30 * DAY_MS };
}

/** Changes the account of an app. Each given field replaces the current value. */
export async function changeAppAccount(
  tx: TxContext,
  appId: AppId,
  change: z.output<typeof accountSchema>,
): Promise<Account> {
  const { account_id } = await getApp(tx.store, appId);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return changeTerms(tx, account_id, given);
}
