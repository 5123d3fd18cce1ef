import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { PLAN_NAMES, type PlanTable } from '../../shared/core/accounts/plan.ts';

const domains = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(1_000_000_000, 'must be at most 1000000000');
const yesOrNo = z.boolean('must be true or false');

const planSchema = z
  .strictObject(
    {
      included: domains,
      limit: domains,
      per_domain_origin: yesOrNo,
      whitelabel: yesOrNo,
      live_keys: yesOrNo,
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
  )
  .refine(({ included, limit }) => limit >= included, {
    path: ['limit'],
    error: 'must not be less than included',
  });

const planTableSchema = z.strictObject(
  Object.fromEntries(PLAN_NAMES.map((name) => [name, planSchema])) as Record<
    (typeof PLAN_NAMES)[number],
    typeof planSchema
  >,
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
);

/** Reads the plan table from a JSON file. The problem lists every error in the file. */
export const planFile = z.string().transform((path, issues): PlanTable => {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read';
    issues.addIssue(`must name a JSON file with the plans ${PLAN_NAMES.join(', ')}: ${why}`);
    return z.NEVER;
  }
  const read = planTableSchema.safeParse(json);
  if (read.success) return read.data;
  issues.addIssue(`names a file with errors: ${read.error.issues.flatMap(linesOf).join('; ')}`);
  return z.NEVER;
});

function linesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')} is unknown`);
  }
  return [place === '' ? `the whole ${issue.message}` : `${place} ${issue.message}`];
}
