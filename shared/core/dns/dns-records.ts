import { CHALLENGE_LABEL } from '../certificates/acme-challenge.ts';
import type { ParsedHostname } from '../domains/hostname.ts';

export interface DnsRecord {
  /** The name relative to the registrable domain, as DNS panels expect it. */
  name: string;
  value: string;
}

/** The records that a domain needs: the `dns` field of `docs/api.md#domain` without its optional record. Both keys are always present. */
export interface DnsRecords {
  cname: DnsRecord | null;
  apex: { a: string[]; aaaa: string[]; txt: DnsRecord; www?: DnsRecord | undefined } | null;
}

export interface DnsRecordsInput extends Pick<ParsedHostname, 'is_apex' | 'relativeName'> {
  /** The CNAME target of a subdomain, or of the `www` name of an apex: the app's target, or its verified white-label host. */
  cname_target: string;
  apex_a: readonly string[];
  apex_aaaa: readonly string[];
  /** Value of the TXT record that proves who added an apex domain. Each domain has its own value. */
  txt_value: string;
  /** Whether an apex also redirects `www`. The name `www` then needs a CNAME of its own. */
  redirectsWww: boolean;
  /** The label `_service`, from `serviceNames()`. */
  txtLabel: string;
}

/**
 * Returns the records that a customer has to create (`docs/api.md#the-service`). A name below an apex needs one CNAME. An apex needs A,
 * AAAA and TXT records, and a CNAME for `www` if the apex redirects `www`.
 */
export function dnsRecords(input: DnsRecordsInput): DnsRecords {
  if (!input.is_apex) {
    return { cname: { name: input.relativeName, value: input.cname_target }, apex: null };
  }
  const txt = { name: input.txtLabel, value: input.txt_value };
  const www = input.redirectsWww ? { www: { name: 'www', value: input.cname_target } } : {};
  return { cname: null, apex: { a: [...input.apex_a], aaaa: [...input.apex_aaaa], txt, ...www } };
}

/**
 * Returns the optional CNAME by which a customer delegates the challenges of a name (`docs/moving-in.md`).
 * @param name relative to the registrable domain; `@` for the domain itself.
 * @param target the target of the CNAME, which `delegationTarget` derives for this domain alone.
 */
export function challengeRecord(name: string, target: string): DnsRecord {
  return { name: name === '@' ? CHALLENGE_LABEL : `${CHALLENGE_LABEL}.${name}`, value: target };
}
