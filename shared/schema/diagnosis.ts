import * as z from 'zod';
import { nullableTimestamp } from './common.ts';

const findingSchema = z
  .object({
    code: z.string().describe('As `status_reason`; treat an unknown one as "see `docs`"'),
    severity: z
      .enum(['error', 'warning', 'info'])
      .describe('error: somebody has to change something; warning: it may fail; info: time alone cures it'),
    record: z
      .object({ type: z.string(), name: z.string() })
      .nullable()
      .describe('What it is about, its name as a DNS panel takes it; null for the zone as a whole'),
    expected: z.string(),
    found: z.string().nullable(),
    hint: z.string().describe('What to do'),
    retryable: z.boolean().describe('Whether a later check may find better though nobody changed anything'),
    docs: z.url(),
  })
  .meta({ id: 'Finding' });

const lookupSchema = z
  .object({
    asked: z
      .enum(['authority', 'resolver', 'probe'])
      .describe("Who was asked: the zone's own server, a public resolver, or one of them to find out more"),
    server: z.string().describe('`1.1.1.1`, or `ns1.example.net (192.0.2.1)`'),
    name: z.string(),
    type: z.string(),
    outcome: z
      .enum(['answer', 'nxdomain', 'nodata', 'unknown'])
      .describe('unknown could not be told, and is evidence of nothing'),
    failure: z.string().nullable().describe('Why it is unknown, such as timeout or servfail'),
    ede: z.array(z.int()).describe('INFO-CODEs of Extended DNS Errors (RFC 8914)'),
    records: z
      .array(z.object({ name: z.string(), type: z.string(), value: z.string(), ttl_s: z.int() }))
      .describe('The chain of CNAMEs, then the records of the type asked for; at most 32'),
    negative_ttl_s: z
      .int()
      .nullable()
      .describe('How long a definite no may be remembered (RFC 2308 section 5)'),
    response_ms: z.int(),
  })
  .meta({ id: 'Lookup' });

/** Beyond version 1 of the interface, which only grows: what one look at a domain's DNS found. */
export const diagnosisSchema = z
  .object({
    hostname: z.string(),
    checked_at: nullableTimestamp.describe('When the DNS was looked at; null when it never was'),
    healthy: z
      .boolean()
      .nullable()
      .describe(
        'true: nothing needs to change; false: something does; null: time alone decides, or it could not be told',
      ),
    provider: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The DNS provider, by the name servers; null where it is not known'),
    name_servers: z.array(z.string()).describe('Of the zone that holds the hostname'),
    findings: z.array(findingSchema).describe('The most severe first'),
    lookups: z.array(lookupSchema).describe('Empty for a test domain: nothing is looked up for it'),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof diagnosisSchema>;
