import * as z from 'zod';
import { cursorQuery, limitQuery, listOf, nullableTimestamp, timestampSchema } from './fields.ts';

/** A certificate of a domain (`docs/api.md#certificate`). */
export const certificateSchema = z
  .object({
    id: z.string().describe('`crt_…`'),
    issuer: z.string().describe('Certificate authority'),
    serial_number: z
      .string()
      .nullable()
      .describe('In lowercase hex, as in certificate transparency logs. Null in test mode'),
    names: z.array(z.string()).describe('The hostnames that it covers'),
    not_before: timestampSchema.describe('Start of its validity'),
    not_after: timestampSchema.describe('End of its validity'),
    served_from: timestampSchema.describe('When the edge began to serve it'),
    served_until: nullableTimestamp.describe('When the next certificate replaced it; null for the newest'),
  })
  .meta({ id: 'Certificate' });
export type CertificateResource = z.infer<typeof certificateSchema>;

export const certificateListSchema = listOf(certificateSchema, 'CertificateList');
export type CertificateList = z.infer<typeof certificateListSchema>;

export const listCertificatesQuery = z.object({ limit: limitQuery, cursor: cursorQuery });
export type ListCertificatesQuery = z.infer<typeof listCertificatesQuery>;
