import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import type { Role } from '../../shared/core/accounts/member.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import { COMMON_HANDLERS } from '../../shared/jobs/handlers.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import {
  type CreatedAccount,
  createAccount,
  type NewAccount,
} from '../../shared/operations/accounts/create-account.ts';
import { startCardCheckout } from '../../shared/operations/billing/get-billing.ts';
import { handleStripeWebhook, syncCustomer } from '../../shared/operations/billing/sync-customer.ts';
import type { Mail } from '../../shared/ports/accounts.ts';
import { findAccount } from '../../shared/store/accounts/accounts.ts';
import { type AuditEntry, listAudit } from '../../shared/store/accounts/audit-log.ts';
import { findBillingAccount } from '../../shared/store/accounts/billing-accounts.ts';
import { insertMember } from '../../shared/store/accounts/members.ts';
import type { Store } from '../../shared/store/store.ts';
import { autocommit } from '../../shared/store/store.ts';
import { type JobWorld, jobWorld } from '../jobs/job-world.ts';
import type { Bank, StripeObject } from './stripe/stripe-account.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeServer, startStripe } from './stripe/stripe-server.ts';

export const PRICES = { growth: 'price_growth', scale: 'price_scale' };

/** A service with mail and with a stand-in for Stripe as its billing provider. The clock stands still until a test moves it. */
export interface BillingWorld extends JobWorld {
  stripe: StripeServer;
  mails: Mail[];
  /** Creates an account whose owner is `<name>@example.com`. By default, its free trial is running. */
  openAccount(name: string, terms?: NewAccount['terms']): Promise<CreatedAccount & { id: AccountId }>;
  addMember(id: AccountId, mail: string, role: Role, joined?: boolean): Promise<void>;
  /** Saves a card on Stripe's page, and makes the service read the new state. @returns the id of the card. */
  saveCard(id: AccountId, bank?: Bank): Promise<string>;
  customerId(id: AccountId): Promise<string>;
  account(id: AccountId): ReturnType<typeof findAccount>;
  /** Sends a signed Stripe event to the service. */
  deliver(event: StripeObject, at?: number): ReturnType<typeof handleStripeWebhook>;
  /** Sends the service all Stripe events since the last call of this function, in an order that the test chooses. */
  deliverNew(order?: (events: StripeObject[]) => StripeObject[]): Promise<void>;
  /** Runs all due work. */
  settle(): Promise<void>;
  /** Moves the clock in steps of an hour and runs the due work. */
  pass(ms: number): Promise<void>;
  subjects(): string[];
  audit(): Promise<AuditEntry[]>;
}

/** @param deadlineMs the timeout of calls to Stripe, in real time. */
export async function billingWorld({
  deadlineMs = 5_000,
  store,
}: {
  deadlineMs?: number;
  store?: Store;
} = {}): Promise<BillingWorld> {
  const base = await jobWorld(undefined, store);
  const { context, clock } = base;
  const stripe = await startStripe(clock);
  const mails: Mail[] = [];
  let delivered = 0;
  context.billing = createStripeBilling(
    { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, apiUrl: stripe.url },
    { deadlineMs },
  );
  context.mailer = {
    async send(mail) {
      mails.push(mail);
      return 'sent';
    },
  };
  const { plans } = context.settings;
  context.settings = {
    ...context.settings,
    plans: {
      ...plans,
      growth: { ...plans.growth, prices: [PRICES.growth, 'price_growth_2025'] },
      scale: { ...plans.scale, prices: [PRICES.scale] },
    },
  };
  const limits = { inFlightMax: 10, inFlightPerAccountMax: 10 };
  const runner = createRunner(context, { handlers: COMMON_HANDLERS, limits, pollMs: 1000 });
  const dispose = base[Symbol.asyncDispose];
  const world: BillingWorld = Object.assign(base, {
    stripe,
    mails,
    async openAccount(name: string, terms: NewAccount['terms'] = {}) {
      const created = await createAccount(context, { name, terms });
      await world.addMember(
        created.account.id,
        `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@example.com`,
        'owner',
      );
      return { ...created, id: created.account.id };
    },
    async addMember(accountId: AccountId, mail: string, role: Role, joined = true) {
      const now = clock.now();
      const id = context.ids('mem');
      const member = {
        id,
        account_id: accountId,
        mail,
        role,
        created_at: now,
        joined_at: joined ? now : null,
      };
      await insertMember(autocommit(context.store), member);
    },
    async saveCard(id: AccountId, bank: Bank = 'pays') {
      await startCardCheckout(context, id);
      clock.move(1000);
      const card = stripe.account.addCard(await world.customerId(id), bank);
      await syncCustomer(context, id);
      return card;
    },
    async customerId(id: AccountId) {
      const customer = (await findBillingAccount(context.store, id))?.customer_id;
      if (!customer) throw new Error(`${id} has no customer`);
      return customer;
    },
    account: (id: AccountId) => findAccount(context.store, id),
    deliver(event: StripeObject, at?: number) {
      const { body, signature } = stripe.sign(event, at);
      return handleStripeWebhook(context, { body: Buffer.from(body), signature });
    },
    async deliverNew(order: (events: StripeObject[]) => StripeObject[] = (events) => events) {
      const events = stripe.account.events.slice(delivered);
      delivered = stripe.account.events.length;
      for (const event of order(events)) await world.deliver(event);
      await world.settle();
    },
    async settle() {
      await runner.runDue(1000);
    },
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= HOUR_MS) {
        clock.move(Math.min(left, HOUR_MS));
        await runner.runDue(1000);
      }
    },
    subjects: () => mails.map(({ subject }) => subject),
    audit: () => listAudit(context.store, 100),
    async [Symbol.asyncDispose]() {
      await stripe[Symbol.asyncDispose]();
      await dispose();
    },
  } satisfies Omit<BillingWorld, keyof JobWorld> & AsyncDisposable);
  return world;
}

const HOUR_MS = 3_600_000;
