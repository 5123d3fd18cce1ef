import * as z from 'zod';
import { PLAN_NAMES } from '../core/accounts/plan.ts';
import { timestamp } from '../core/instant.ts';
import { choosePlan, previewPlanChange } from '../operations/billing/choose-plan.ts';
import {
  type BillingSummary,
  getBilling,
  openPortal,
  startCardCheckout,
} from '../operations/billing/get-billing.ts';
import { syncCustomerNow } from '../operations/billing/sync-customer.ts';
import { withAudit } from '../operations/operator/with-audit.ts';
import { inAccount } from './account-handlers.ts';
import { readJson, readQueryOf } from './dashboard-call.ts';
import { respondJson } from './respond.ts';
import type { BillingView, PlanPreview } from './responses.ts';

/** Handles `GET /accounts/{account}/billing`: returns the plan and the payments. */
export const readBilling = inAccount('read_billing', async ({ context }, { account }) =>
  respondJson(200, presentBilling(await getBilling(context, account.id))),
);

/** Handles `POST /accounts/{account}/billing/card`: returns the URL of the provider's page that saves a card. */
export const openCardPage = inAccount('change_billing', async ({ context }, { account, actor }) => {
  const page = await startCardCheckout(context, account.id);
  await withAudit(context, { actor, action: 'billing.card', subject: account.id }, async () => undefined);
  return respondJson(200, page);
});

/** Handles `POST /accounts/{account}/billing/portal`: returns the URL of the provider's page for invoices and cards. */
export const openBillingPortal = inAccount('change_billing', async ({ context }, { account, actor }) => {
  const page = await openPortal(context, account.id);
  await withAudit(context, { actor, action: 'billing.portal', subject: account.id }, async () => undefined);
  return respondJson(200, page);
});

/** Handles `POST /accounts/{account}/billing/sync`: reads the state from the provider now, for example after a card was saved. */
export const syncBillingNow = inAccount('sync_billing', async ({ context }, { account }) => {
  await syncCustomerNow(context, account.id);
  return respondJson(200, presentBilling(await getBilling(context, account.id)));
});

const planSchema = z.strictObject({ plan: z.enum(PLAN_NAMES) });
const planQuery = z.object(planSchema.shape);

/** Handles `GET /accounts/{account}/billing/preview?plan=…`: returns the effects of choosing a plan. */
export const previewPlan = inAccount('read_billing', async (call, { account }) => {
  const { plan } = readQueryOf(call, planQuery);
  const { kind, takes_effect_at, limit, domains, domains_over_limit, lost } = await previewPlanChange(
    call.context,
    account.id,
    plan,
  );
  const preview: PlanPreview = {
    kind,
    takes_effect_at: timestamp(takes_effect_at),
    limit,
    domains,
    domains_over_limit,
    lost: lost.map(({ effect }) => effect),
  };
  return respondJson(200, preview);
});

/** Handles `POST /accounts/{account}/billing/plan`: starts, changes or ends the subscription. */
export const changePlan = inAccount('change_billing', async (call, { account, actor }) => {
  const { plan } = readJson(call, planSchema);
  return respondJson(200, presentBilling(await choosePlan(call.context, actor, account.id, plan)));
});

function presentBilling(billing: BillingSummary): BillingView {
  const { card, paid_plan, plan_asked, ends_with_period, choices } = billing;
  return {
    card,
    paid_plan,
    plan_asked,
    period_ends_at: timestamp(billing.period_ends_at),
    ends_with_period,
    payment_failed_at: timestamp(billing.payment_failed_at),
    suspends_at: timestamp(billing.suspends_at),
    choices,
  };
}
