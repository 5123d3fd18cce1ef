import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PLANS } from '../../../shared/core/accounts/plan.ts';
import type { AccountId } from '../../../shared/core/ids.ts';
import { choosePlan } from '../../../shared/operations/billing/choose-plan.ts';
import { startCardCheckout } from '../../../shared/operations/billing/get-billing.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import {
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripe,
} from '../../billing/stripe/stripe-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment, type RunningNode } from '../run-service.ts';

describePostgres('a node can use Stripe as its billing provider', () => {
  let stripe: StripeServer;
  let deployment: Deployment;
  let env: Record<string, string>;

  beforeEach(async () => {
    stripe = await startStripe({ now: Date.now });
    deployment = await createDeployment();
    const plans = { ...PLANS, growth: { ...PLANS.growth, price: 'price_growth' } };
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'plans-')), 'plans.json');
    writeFileSync(file, JSON.stringify(plans));
    env = {
      NAMEPLATE_BILLING: 'stripe',
      NAMEPLATE_STRIPE_SECRET_KEY: STRIPE_KEY,
      NAMEPLATE_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
      NAMEPLATE_STRIPE_API_URL: stripe.url,
      NAMEPLATE_PLANS_FILE: file,
    };
  });
  afterEach(async () => {
    await deployment[Symbol.asyncDispose]();
    await stripe[Symbol.asyncDispose]();
  });

  const post = (api: string, body: string, headers: Record<string, string>) =>
    fetch(`${api}/webhooks/stripe`, { method: 'POST', body, headers });

  /** Creates an account and saves a card for it on Stripe's page. */
  async function withCard({ node }: RunningNode): Promise<AccountId> {
    const { document } = await deployment.json(['accounts', 'create', 'Acme'], env);
    const id = document.account.id as AccountId;
    const { url } = await startCardCheckout(node.composition.context, id);
    await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ number: '4242424242424242' }),
      redirect: 'manual',
    });
    return id;
  }

  test('applies the webhooks of Stripe', async () => {
    await using running = await deployment.start({ env });
    stripe.webhookUrl = `${running.api_url}/webhooks/stripe`;
    const { context } = running.node.composition;
    const id = await withCard(running);
    await expect.poll(() => findAccount(context.store, id)).toMatchObject({ card_on_file: true });
    await choosePlan(context, 'ada@example.com', id, 'growth');
    stripe.account.cancel(stripe.account.subscriptionOf([...stripe.account.customers.keys()][0] ?? ''));
    await stripe.sent();
    await expect.poll(() => findAccount(context.store, id)).toMatchObject({ plan: 'free' });
    expect(stripe.violations).toEqual([]);
  });

  test('refuses a webhook that is unsigned or too large, and accepts a repeated one', async () => {
    await using running = await deployment.start({ env });
    await withCard(running);
    const [event] = stripe.account.events;
    if (event === undefined) throw new Error('there is no event');
    const { body, signature } = stripe.sign(event);
    const unsigned = await post(running.api_url, body, {});
    expect({ status: unsigned.status, body: await unsigned.json() }).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringContaining('signature') } },
    });
    expect((await post(running.api_url, `${body} `, { 'stripe-signature': signature })).status).toBe(400);
    expect(
      (await post(running.api_url, ' '.repeat(600 * 1024), { 'stripe-signature': signature })).status,
    ).toBe(413);
    for (const outcome of ['taken', 'repeated']) {
      const response = await post(running.api_url, body, { 'stripe-signature': signature });
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 200,
        body: { outcome },
      });
    }
    expect((await fetch(`${running.api_url}/webhooks/stripe`)).status).toBe(404);
  });

  test('has no webhook endpoint if the billing provider is not set', async () => {
    await using running = await deployment.start();
    expect((await post(running.api_url, '{}', {})).status).toBe(404);
    const { document, exit } = await deployment.json(['billing', 'sync', '--all']);
    expect({ exit, code: document.error.code }).toEqual({ exit: 5, code: 'not_found' });
  });

  test('lets the operator apply the billing state of one account or of all, and replay an event', async () => {
    const api = { ...env, NAMEPLATE_ROLES: 'api' };
    await using running = await deployment.start({ env: api });
    const id = await withCard(running);
    expect((await deployment.json(['billing', 'sync'], env)).exit).toBe(2);
    expect((await deployment.json(['billing', 'sync', id, '--all'], env)).exit).toBe(2);
    const { document } = await deployment.json(['billing', 'sync', id], env);
    expect(document).toMatchObject({
      account_id: id,
      plan: 'free',
      card: { brand: 'visa', last4: '4242' },
      payment_failed_at: null,
      suspended: false,
    });
    expect((await deployment.service(['billing', 'sync', 'Acme'], env)).stdout).toMatch(
      /^card +visa ending in 4242$/m,
    );
    expect((await deployment.json(['billing', 'sync', '--all'], env)).document).toEqual({
      synced: 1,
      failed: [],
    });
    const event = stripe.account.events.at(-1);
    expect((await deployment.json(['billing', 'replay', event?.id ?? ''], env)).document).toMatchObject({
      event: event?.id,
      outcome: 'taken',
      account_id: id,
    });
    const unknown = await deployment.json(['billing', 'replay', 'evt_none'], env);
    expect({ exit: unknown.exit, code: unknown.document.error.code }).toEqual({ exit: 5, code: 'not_found' });
    stripe.mood = 'failing';
    const failed = await deployment.json(['billing', 'sync', '--all'], env);
    expect(failed).toMatchObject({ exit: 1, document: { synced: 0, failed: [{ account_id: id }] } });
    const { stdout } = await deployment.service(['audit', 'list'], env);
    expect(stdout).toContain('billing.replay');
    expect(stdout).not.toMatch(/sk_test_51|whsec_/);
  });
});
