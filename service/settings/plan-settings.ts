import * as z from 'zod';
import { PLAN_NAMES, type PlanTable } from '../../shared/core/accounts/plan.ts';
import { readJsonFile } from './json-file.ts';

const domains = z.int().min(0).max(1_000_000_000);

const planSchema = z
  .strictObject({
    included: domains,
    limit: domains,
    per_domain_origin: z.boolean(),
    whitelabel: z.boolean(),
    live_keys: z.boolean(),
  })
  .refine(({ included, limit }) => limit >= included, {
    path: ['limit'],
    error: 'must not be less than included',
  });

const planTableSchema = z.strictObject(
  Object.fromEntries(PLAN_NAMES.map((name) => [name, planSchema])) as Record<
    (typeof PLAN_NAMES)[number],
    typeof planSchema
  >,
);

/** Reads the plan table from a JSON file. The problem lists every error in the file. */
export const planFile = z.string().transform((file, issues): PlanTable => {
  const read = readJsonFile(file, planTableSchema);
  if ('data' in read) return read.data;
  issues.addIssue(read.problem);
  return z.NEVER;
});
