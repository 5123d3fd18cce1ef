import type { ParsedHostname } from '../domains/hostname.ts';

export interface DnsRecord {
  /** Relative to the registrable domain, as DNS panels take it. */
  name: string;
  value: string;
}

/** `dns` of section 2.2. Both keys are always there. */
export interface DnsRecords {
  cname: DnsRecord | null;
  apex: { a: string[]; aaaa: string[]; txt: DnsRecord; www?: DnsRecord | undefined } | null;
}

export interface DnsRecordsInput extends Pick<ParsedHostname, 'is_apex' | 'relative_name'> {
  /** The app's CNAME target, or its verified white-label host. */
  cname_target: string;
  apex_a: readonly string[];
  apex_aaaa: readonly string[];
  /** Proves who added an apex domain; one value per domain. */
  txt_value: string;
  /** Whether an apex also redirects `www`, which then needs a CNAME of its own. */
  redirectsWww: boolean;
  /** `_service`, from `serviceNames()`. */
  txt_label: string;
}

/** The records a customer has to create: one CNAME below an apex; A, AAAA and TXT at one (section 1), and a CNAME of a redirected `www`. */
export function dnsRecords(input: DnsRecordsInput): DnsRecords {
  if (!input.is_apex) {
    return { cname: { name: input.relative_name, value: input.cname_target }, apex: null };
  }
  const txt = { name: input.txt_label, value: input.txt_value };
  const www = input.redirectsWww ? { www: { name: 'www', value: input.cname_target } } : {};
  return { cname: null, apex: { a: [...input.apex_a], aaaa: [...input.apex_aaaa], txt, ...www } };
}
