/** Access to Stripe. The key and the secret are never printed. */
export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Address of Stripe's API in tests. If null, Stripe's real API. */
  apiUrl: string | null;
}

interface BillingEnvironment {
  NAMEPLATE_BILLING: 'none' | 'stripe';
  NAMEPLATE_STRIPE_SECRET_KEY?: string | undefined;
  NAMEPLATE_STRIPE_WEBHOOK_SECRET?: string | undefined;
  NAMEPLATE_STRIPE_API_URL?: string | undefined;
}

/** Returns access to Stripe, or null if the operator manages plans and cards by hand. */
export function stripeSettings(env: BillingEnvironment): StripeSettings | null {
  const { NAMEPLATE_STRIPE_SECRET_KEY: secretKey, NAMEPLATE_STRIPE_WEBHOOK_SECRET: webhookSecret } = env;
  if (env.NAMEPLATE_BILLING === 'none' || secretKey === undefined || webhookSecret === undefined) return null;
  return { secretKey, webhookSecret, apiUrl: env.NAMEPLATE_STRIPE_API_URL ?? null };
}
