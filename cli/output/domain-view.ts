import { isAwaitingDns } from '../../shared/core/domains/status.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { ANY, type FieldsOf, VALUE } from './field-columns.ts';
import { marked, painted, statusOf } from './marks.ts';
import type { Formatting, Output } from './output.ts';
import { plainText } from './plain-text.ts';
import type { TableColumn } from './table.ts';

/** Returns the columns of a list of domains. */
export function domainColumns(output: Output): TableColumn<DomainResource>[] {
  return [
    { name: 'hostname', value: (domain) => domain.hostname, shrinks: true },
    {
      name: 'status',
      value: ({ status }) => marked(statusOf(status), status, output),
      style: (text, { status }) => output.paint(statusOf(status).style, text),
    },
    { name: 'reason', value: (domain) => domain.status_reason, shrinks: true, optional: true },
    { name: 'created', value: (domain) => domain.created_at, isTime: true, optional: true },
    { name: 'id', value: (domain) => domain.id, optional: true },
  ];
}

export function domainLines(domain: DomainResource, output: Formatting): string[] {
  const { status_detail: detail, certificate } = domain;
  return output.fields([
    ['hostname', output.paint('bold', plainText(domain.hostname))],
    ['id', plainText(domain.id)],
    ['mode', plainText(domain.mode)],
    ['status', painted(statusOf(domain.status), plainText(domain.status), output)],
    ...(domain.status_reason ? [['reason', plainText(domain.status_reason)] as const] : []),
    ...(detail
      ? ([
          ['expected', plainText(detail.expected)],
          ['found', plainText(detail.found)],
          ['hint', plainText(detail.hint)],
        ] as const)
      : []),
    ['origin', domain.origin === null ? "the app's" : plainText(domain.origin)],
    ...(domain.is_apex ? [['apex redirect', plainText(domain.apex_redirect)] as const] : []),
    ...(domain.ready_to_switch ? [['switch', 'ready: the certificate is there'] as const] : []),
    ...(certificate
      ? [
          ['certificate', plainText(certificate.issuer)] as const,
          ['expires', output.time(certificate.not_after)] as const,
          ['renews', output.time(certificate.renews_at)] as const,
        ]
      : []),
    ...(domain.metadata ? [['metadata', plainText(domain.metadata)] as const] : []),
    ...(domain.origin_headers ? [['headers', plainText(domain.origin_headers)] as const] : []),
    ['created', output.time(domain.created_at)],
    ['checked', output.time(domain.last_checked_at)],
    ['next check', output.time(domain.next_check_at)],
    ['connect page', plainText(domain.connect_url)],
  ]);
}

/** Formats the DNS records to create. Never cuts a value, because users copy it. */
export function recordLines(domain: DomainResource, output: Formatting): string[] {
  const { cname, apex } = domain.dns;
  const records = [
    ...(cname ? [{ type: 'CNAME', ...cname }] : []),
    ...(apex?.a ?? []).map((value) => ({ type: 'A', name: '@', value })),
    ...(apex?.aaaa ?? []).map((value) => ({ type: 'AAAA', name: '@', value })),
    ...(apex ? [{ type: 'TXT', ...apex.txt }] : []),
    ...(apex?.www ? [{ type: 'CNAME', ...apex.www }] : []),
  ];
  return output.table(records, [
    { name: 'type', value: (record) => record.type },
    { name: 'name', value: (record) => record.name },
    { name: 'value', value: (record) => record.value },
  ]);
}

/**
 * Formats the optional record that lets the CA issue a certificate before the hostname points to the edge. Returns no lines unless the
 * domain waits for its DNS record.
 */
export function challengeLines(
  { dns, status, ready_to_switch }: DomainResource,
  output: Formatting,
): string[] {
  const records = [dns.acme_challenge ?? [], dns.www_acme_challenge ?? []].flat();
  if (records.length === 0 || !isAwaitingDns(status) || ready_to_switch) return [];
  const which = records.length > 1 ? 'these records' : 'this record';
  return [
    '',
    ...output.prose(`To have the certificate before the hostname moves here, create ${which} first:`),
    // The value has its own line, because a narrow terminal must not break it.
    ...records.flatMap(({ name, value }) => [`CNAME  ${plainText(name)}`, plainText(value)]),
  ];
}

/** The fields that `--columns` can name. */
export const DOMAIN_FIELDS: FieldsOf<DomainResource> = {
  id: VALUE,
  hostname: VALUE,
  status: VALUE,
  status_reason: VALUE,
  status_detail: { expected: VALUE, found: VALUE, hint: VALUE },
  is_apex: VALUE,
  mode: VALUE,
  dns: {
    cname: { name: VALUE, value: VALUE },
    apex: { a: ANY, aaaa: ANY, txt: { name: VALUE, value: VALUE }, www: { name: VALUE, value: VALUE } },
    acme_challenge: { name: VALUE, value: VALUE },
    www_acme_challenge: { name: VALUE, value: VALUE },
  },
  ready_to_switch: VALUE,
  origin: VALUE,
  apex_redirect: VALUE,
  connect_url: VALUE,
  certificate: { issuer: VALUE, not_before: VALUE, not_after: VALUE, renews_at: VALUE },
  metadata: ANY,
  origin_headers: ANY,
  created_at: VALUE,
  updated_at: VALUE,
  last_checked_at: VALUE,
  next_check_at: VALUE,
};
