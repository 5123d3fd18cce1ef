import * as z from 'zod';

const validationDetailSchema = z
  .looseObject({
    fields: z
      .array(
        z.object({
          path: z
            .string()
            .describe('The name of the field; within an object, such as `origin_headers.X-Team`'),
          message: z.string().describe('What is wrong with its value'),
        }),
      )
      .describe('The first ten invalid fields'),
    omitted: z.int().optional().describe('How many more fields are invalid'),
  })
  .meta({ id: 'ValidationDetail', description: 'Sent with validation_failed.' });

const domainLimitDetailSchema = z
  .looseObject({
    plan: z.string().describe('The plan of the account'),
    trial: z.boolean().describe('Whether the account is on trial'),
    used: z.int().describe('Domains that count towards the limit'),
    limit: z.int().describe('How many domains are allowed'),
    hostname: z.string().describe('The hostname that was refused'),
    plans: z
      .array(
        z.object({
          plan: z.string().describe('The name of the plan'),
          included: z.int().describe('How many domains its price includes'),
          limit: z.int().describe('How many domains it allows'),
        }),
      )
      .describe('The plans that allow one more domain'),
  })
  .meta({ id: 'DomainLimitDetail', description: 'Sent with domain_limit_reached.' });

/** The body of every 4xx and 5xx response (`docs/api.md#errors`). */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.string().describe('Stable machine-readable code; branch on this'),
      message: z.string().describe('What went wrong'),
      fix: z.string().describe('What to do, one sentence'),
      docs: z.url().describe('Page that explains the code'),
      request_id: z.string().optional().describe('Sent only with internal_error'),
      status_detail: z
        .union([validationDetailSchema, domainLimitDetailSchema, z.record(z.string(), z.unknown())])
        .optional()
        .describe('Data that some codes have. More codes may have it in the future'),
    }),
  })
  .meta({ id: 'Error', description: 'The envelope of every error. Treat an unknown code as "see docs".' });

export type ErrorEnvelope = z.infer<typeof errorSchema>;
