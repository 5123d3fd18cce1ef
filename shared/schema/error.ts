import * as z from 'zod';

const validationDetailSchema = z
  .looseObject({
    fields: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('The fields at fault, the first ten of them'),
    omitted: z.int().optional().describe('How many more fields are at fault'),
  })
  .meta({ id: 'ValidationDetail', description: 'Comes with validation_failed.' });

const domainLimitDetailSchema = z
  .looseObject({
    plan: z.string(),
    trial: z.boolean(),
    used: z.int().describe('Domains that count towards the limit'),
    limit: z.int().describe('How many are allowed'),
    hostname: z.string().describe('The hostname that was refused'),
    plans: z
      .array(z.object({ plan: z.string(), included: z.int(), limit: z.int() }))
      .describe('The plans that fit one more'),
  })
  .meta({ id: 'DomainLimitDetail', description: 'Comes with domain_limit_reached.' });

/** Section 7: the body of every 4xx and 5xx answer. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.string().describe('Stable machine-readable code; branch on this'),
      message: z.string().describe('What went wrong'),
      fix: z.string().describe('What to do, one sentence'),
      docs: z.url().describe('Page for the code'),
      request_id: z.string().optional().describe('Only with internal_error'),
      status_detail: z
        .union([validationDetailSchema, domainLimitDetailSchema, z.record(z.string(), z.unknown())])
        .optional()
        .describe('Data that comes with some codes; other codes can have it in the future'),
    }),
  })
  .meta({ id: 'Error', description: 'The envelope of every error. Treat an unknown code as "see docs".' });

export type ErrorEnvelope = z.infer<typeof errorSchema>;
