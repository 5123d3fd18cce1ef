import * as z from 'zod';
import { PLAN_NAMES, type PlanName, type PlanTable } from '../../shared/core/accounts/plan.ts';
import { readJsonFile } from './json-file.ts';

const domains = z.int().min(0).max(1_000_000_000);

const priceId = z.string().regex(/^price_\w+$/, 'must be the id of a price at Stripe, such as price_1Nx4…');

/** One price, or several: the first is for new customers, and the others are for earlier customers. */
const prices = z.union([priceId.transform((id) => [id]), z.array(priceId).min(1)], {
  error: 'must be the id of a price at Stripe, such as price_1Nx4…, or a list of them',
});

const planSchema = z
  .strictObject({
    included: domains,
    limit: domains,
    per_domain_origin: z.boolean(),
    whitelabel: z.boolean(),
    live_keys: z.boolean(),
    price: prices.optional(),
  })
  .refine(({ included, limit }) => limit >= included, {
    path: ['limit'],
    error: 'must not be less than included',
  })
  .transform(({ price, ...plan }) => ({ ...plan, ...(price === undefined ? {} : { prices: price }) }));

const planTableSchema = z
  .strictObject(
    Object.fromEntries(PLAN_NAMES.map((name) => [name, planSchema])) as Record<PlanName, typeof planSchema>,
  )
  .refine(({ free }) => free.prices === undefined, { path: ['free'], error: 'must not have a price' })
  .superRefine((plans, issues) => {
    const sellers = new Map<string, PlanName>();
    for (const name of PLAN_NAMES) {
      for (const price of plans[name].prices ?? []) {
        const other = sellers.get(price);
        if (other !== undefined && other !== name)
          issues.addIssue({ code: 'custom', path: [name, 'price'], message: `is a price of ${other} too` });
        sellers.set(price, name);
      }
    }
  });

/** Reads the plan table from a JSON file. The problem lists every error in the file. */
export const planFile = z.string().transform((file, issues): PlanTable => {
  const read = readJsonFile(file, planTableSchema);
  if (read.ok) return read.data;
  issues.addIssue(read.problem);
  return z.NEVER;
});
