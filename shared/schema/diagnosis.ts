import * as z from 'zod';
import { HOP_NAMES } from '../core/public-path/public-path.ts';
import { recordChangeSchema } from './domain.ts';
import { nullableTimestamp, openList } from './fields.ts';

const findingSchema = z
  .object({
    code: z.string().describe('A value of `status_reason`. Treat an unknown one as "see `docs`"'),
    severity: z
      .enum(['error', 'warning', 'info'])
      .describe(
        'error: someone has to change something; warning: the domain may fail; info: no one has to change anything',
      ),
    record: z
      .object({
        type: z.string().describe('Type of the record'),
        name: z.string().describe('Name of the record'),
      })
      .nullable()
      .describe(
        'The record at fault, with its name as a DNS panel expects it; null if the whole zone is at fault',
      ),
    expected: z.string().describe('What should be there'),
    found: z.string().nullable().describe('What is there; null if nothing is'),
    hint: z.string().describe('What to do'),
    retryable: z.boolean().describe('Whether a later check may succeed although nothing was changed'),
    changes: z
      .array(recordChangeSchema)
      .describe('The fewest changes to records that fix it; empty if no change to records can'),
    docs: z.url().describe('The page of the code'),
  })
  .meta({ id: 'Finding' });

const lookupSchema = z
  .object({
    asked: z
      .enum(['authority', 'resolver', 'probe'])
      .describe(
        "Which server was asked: one of the zone's own, a public resolver, or either of them for details",
      ),
    server: z.string().describe('`1.1.1.1`, or `ns1.example.net (192.0.2.1)`'),
    name: z.string().describe('The name that was looked up'),
    type: z.string().describe('The type of record that was looked up'),
    outcome: z
      .enum(['answer', 'nxdomain', 'nodata', 'unknown'])
      .describe('unknown: no usable answer came. Such a lookup is evidence of nothing'),
    failure: z
      .string()
      .nullable()
      .describe('Why the outcome is unknown, such as timeout or servfail; else null'),
    ede: z.array(z.int()).describe('INFO-CODEs of Extended DNS Errors (RFC 8914)'),
    records: z
      .array(
        z.object({
          name: z.string().describe('Name of the record'),
          type: z.string().describe('Type of the record'),
          value: z.string().describe('Value of the record'),
          ttl_s: z.int().describe('How many seconds it may be cached'),
        }),
      )
      .describe('The CNAME chain, then the records of the requested type; at most 32'),
    negative_ttl_s: z
      .int()
      .nullable()
      .describe('How many seconds a definite no may be cached (RFC 2308 section 5)'),
    response_ms: z.int().describe('Response time in milliseconds'),
  })
  .meta({ id: 'Lookup' });

/** The findings of one check of a domain's DNS. This schema was added after the first version of v1, which may gain endpoints. */
export const diagnosisSchema = z
  .object({
    hostname: z.string().describe('Hostname of the domain'),
    checked_at: nullableTimestamp.describe('When the DNS was checked; null if it never was'),
    healthy: z
      .boolean()
      .nullable()
      .describe(
        'true: nothing has to change. false: something does. null: waiting may fix it, or nothing could be looked up',
      ),
    provider: z
      .object({
        id: z.string().describe('Such as `hetzner`'),
        name: z.string().describe('Such as Hetzner'),
      })
      .nullable()
      .describe('The DNS provider, recognized by its name servers; null if it is not known'),
    name_servers: z.array(z.string()).describe('Name servers of the zone that holds the hostname'),
    findings: z.array(findingSchema).describe('The most severe first'),
    lookups: z.array(lookupSchema).describe('Empty for a test domain, whose DNS is never looked up'),
    path: z
      .object({
        hop: z.string().meta(openList(HOP_NAMES, 'What stands between visitors and our edge.')),
        leads_here: z.boolean().describe('Whether visitors reach our edge by it'),
        addresses: z.array(z.string()).describe('The addresses that were probed; empty for `direct`'),
      })
      .nullable()
      .describe(
        'Where requests to the hostname arrive; null if it was not probed, because no record leads anywhere or the app does not allow proxies',
      ),
    issuance_lock: z
      .array(
        z.object({
          type: z.literal('CAA').describe('Type of the record'),
          name: z.string().describe('Name of the record'),
          value: z.string().describe('Value of the record'),
        }),
      )
      .describe(
        'Optional CAA records that let only this service order certificates for an apex domain (RFC 8657). Empty for a subdomain',
      ),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof diagnosisSchema>;
