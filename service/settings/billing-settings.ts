/** Access to Stripe. The key and the secret are never printed. */
export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Address of Stripe's API in tests. Null for Stripe itself. */
  apiUrl: string | null;
}
