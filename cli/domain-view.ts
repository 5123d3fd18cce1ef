import type { ChangedDomain, DomainResource } from '../shared/schema/domain.ts';
import type { Output, Style } from './output.ts';
import { printable, printableTime } from './printable.ts';
import type { Column } from './table.ts';

/** How domains are shown to a person. */
export function domainColumns(output: Output): Column<DomainResource>[] {
  return [
    { name: 'hostname', value: (domain) => domain.hostname, shrinks: true },
    {
      name: 'status',
      value: (domain) => domain.status,
      style: (text, domain) => output.paint(styleOf(domain.status), text),
    },
    { name: 'reason', value: (domain) => domain.status_reason, shrinks: true, optional: true },
    { name: 'created', value: (domain) => printableTime(domain.created_at), optional: true },
    { name: 'id', value: (domain) => domain.id, optional: true },
  ];
}

export function domainLines(domain: DomainResource, output: Output): string[] {
  const { status_detail: detail, certificate } = domain;
  return output.fields([
    ['hostname', output.paint('bold', printable(domain.hostname))],
    ['id', printable(domain.id)],
    ['mode', printable(domain.mode)],
    ['status', output.paint(styleOf(domain.status), printable(domain.status))],
    ...(domain.status_reason ? [['reason', printable(domain.status_reason)] as const] : []),
    ...(detail
      ? ([
          ['expected', printable(detail.expected)],
          ['found', printable(detail.found)],
          ['hint', printable(detail.hint)],
        ] as const)
      : []),
    ['origin', domain.origin === null ? "the app's" : printable(domain.origin)],
    ...(domain.is_apex ? [['apex redirect', printable(domain.apex_redirect)] as const] : []),
    ...(certificate
      ? [
          [
            'certificate',
            `${printable(certificate.issuer)}, until ${printableTime(certificate.not_after)}, renews ${printableTime(certificate.renews_at)}`,
          ] as const,
        ]
      : []),
    ...(domain.metadata ? [['metadata', printable(domain.metadata)] as const] : []),
    ...(domain.origin_headers ? [['headers', printable(domain.origin_headers)] as const] : []),
    ['created', printableTime(domain.created_at)],
    ['checked', printableTime(domain.last_checked_at)],
    ['next check', printableTime(domain.next_check_at)],
    ['connect page', printable(domain.connect_url)],
  ]);
}

/** The DNS records to create, whole, since they are copied. */
export function recordLines(domain: DomainResource, output: Output): string[] {
  const { cname, apex } = domain.dns;
  const records = [
    ...(cname ? [{ type: 'CNAME', ...cname }] : []),
    ...(apex?.a ?? []).map((value) => ({ type: 'A', name: '@', value })),
    ...(apex?.aaaa ?? []).map((value) => ({ type: 'AAAA', name: '@', value })),
    ...(apex ? [{ type: 'TXT', ...apex.txt }] : []),
  ];
  return output.table(records, [
    { name: 'type', value: (record) => record.type },
    { name: 'name', value: (record) => record.name },
    { name: 'value', value: (record) => record.value },
  ]);
}

/** What part of a request was ignored, on stderr. */
export function noteWarnings({ warnings = [] }: ChangedDomain, output: Output): void {
  for (const { code, message } of warnings) {
    output.note(output.paint('yellow', `Warning: ${printable(message)} (${printable(code)})`));
  }
}

function styleOf(status: string): Style {
  if (status === 'active') return 'green';
  return ['dns_broken', 'cert_failed', 'expired', 'held', 'deleted'].includes(status) ? 'red' : 'yellow';
}
