import { type Account, liveModeRefusal } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import type { AccountId } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import { makeSigningSecret } from '../../core/webhooks/signature.ts';
import { insertAccount } from '../../store/accounts/accounts.ts';
import { insertApp } from '../../store/accounts/apps.ts';
import { addKey } from '../apps/api-keys.ts';
import { needsCardCheck } from '../billing/billing-provider.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { scheduleTrialMails } from '../domains/change-terms.ts';
import { sealedFor } from '../events/signing-secrets.ts';

/** Fields whose values differ from those of a new trial account. */
export type AccountTerms = Partial<Omit<Account, 'id' | 'name'>>;

export interface NewAccount {
  /** The account's id, if the caller must know the id in advance. Without it, the account gets a new id. */
  id?: AccountId;
  name: string;
  terms?: AccountTerms;
  webhook_url?: string | null;
  /** The fixed keys and secret of the emulator's default account. Without them, they are random. */
  given?: { test_key: string; live_key: string; signing_secret: string };
}

export interface CreatedAccount extends AppWithSecrets {
  account: Account;
}

export interface NewApp extends Pick<NewAccount, 'name' | 'webhook_url' | 'given'> {
  /** True to create no live key, because the response does not show it to anyone. */
  testKeyOnly?: true;
}

export interface AppWithSecrets {
  app: App;
  /** The keys and the secret are shown only in this result. */
  test_key: string;
  /** Null if the account's terms allow no live key. */
  live_key: string | null;
  signing_secret: string;
}

/**
 * Creates an account with an app, its first keys and its signing secret. A new account starts a 14-day trial (`docs/plans-and-limits.md`).
 */
export async function createAccount(context: Context, input: NewAccount): Promise<CreatedAccount> {
  return transact(context, async (tx) => {
    const now = tx.clock.now();
    const account: Account = {
      id: input.id ?? tx.ids('acc'),
      name: input.name,
      plan: 'free',
      trial_ends_at: now + LIMITS.trial_ms,
      promotional: false,
      card_on_file: false,
      suspended: false,
      created_at: now,
      ...input.terms,
    };
    await insertAccount(tx.store, account);
    await scheduleTrialMails(tx, account);
    return { account, ...(await addApp(tx, account, input)) };
  });
}

/**
 * Adds an app to an account, with its first keys and its signing secret. The app gets a live key if the account's terms allow one and no
 * card has to be checked first.
 */
export async function addApp(tx: TxContext, account: Account, input: NewApp): Promise<AppWithSecrets> {
  const now = tx.clock.now();
  const signingSecret = input.given?.signing_secret ?? makeSigningSecret(tx.random);
  const app = newApp(tx, account, input, signingSecret);
  await insertApp(tx.store, app);
  const test = await addKey(tx, app.id, 'test', 'Default test key', input.given?.test_key);
  const mayHaveLiveKey =
    input.testKeyOnly !== true &&
    liveModeRefusal(account, tx.settings.plans, now) === null &&
    !(await needsCardCheck(tx, account));
  const live = mayHaveLiveKey
    ? await addKey(tx, app.id, 'live', 'Default live key', input.given?.live_key)
    : null;
  return { app, test_key: test.key, live_key: live?.key ?? null, signing_secret: signingSecret };
}

function newApp(tx: TxContext, account: Account, input: NewApp, signingSecret: string): App {
  const id = tx.ids('app');
  return {
    id,
    account_id: account.id,
    name: input.name,
    origin_url: null,
    origin_reachable: false,
    origin_latency_ms: null,
    origin_checked_at: null,
    origin_status_reason: null,
    origin_failures: 0,
    webhook_url: input.webhook_url ?? null,
    webhook_epoch: 0,
    brand_color: null,
    brand_logo: null,
    support_url: null,
    return_url: null,
    whitelabel_host: null,
    whitelabel_verified: false,
    whitelabel_found: null,
    whitelabel_set_at: null,
    whitelabel_checked_at: null,
    whitelabel_grace_ends_at: null,
    target_label: Buffer.from(tx.random(8)).toString('hex'),
    apex_redirect_default: 'none',
    allow_proxied: true,
    signing_secret: tx.secrets.seal(signingSecret, sealedFor(id)),
    previous_signing_secret: null,
    previous_valid_until: null,
    created_at: tx.clock.now(),
  };
}
