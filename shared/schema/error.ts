import * as z from 'zod';

/** Section 7: the body of every 4xx and 5xx answer. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.string().describe('Stable machine-readable code; branch on this'),
      message: z.string().describe('What went wrong'),
      fix: z.string().describe('What to do, one sentence'),
      docs: z.url().describe('Page for the code'),
      request_id: z.string().optional().describe('Only with internal_error'),
      status_detail: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Error', description: 'The envelope of every error. Treat an unknown code as "see docs".' });

export type ErrorEnvelope = z.infer<typeof errorSchema>;
