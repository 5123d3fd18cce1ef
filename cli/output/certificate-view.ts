import type { CertificateResource } from '../../shared/schema/certificate.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { type FieldsOf, VALUE } from './field-columns.ts';
import { marked, statusOf } from './marks.ts';
import type { Output } from './output.ts';
import type { TableColumn } from './table.ts';

/** Returns the columns of a list of domains with their current certificates. */
export function currentColumns(output: Output): TableColumn<DomainResource>[] {
  return [
    { name: 'hostname', value: ({ hostname }) => hostname, shrinks: true },
    { name: 'issuer', value: ({ certificate }) => certificate?.issuer, shrinks: true },
    {
      name: 'expires',
      value: ({ certificate }) => certificate?.not_after,
      isTime: true,
    },
    { name: 'renews', value: ({ certificate }) => certificate?.renews_at, isTime: true },
    {
      name: 'status',
      value: ({ status }) => marked(statusOf(status), status, output),
      style: (text, { status }) => output.paint(statusOf(status).style, text),
      optional: true,
    },
    { name: 'id', value: ({ id }) => id, optional: true },
  ];
}

/** The columns of a domain's certificate history. */
export const HISTORY_COLUMNS: readonly TableColumn<CertificateResource>[] = [
  { name: 'served from', value: ({ served_from }) => served_from, isTime: true },
  { name: 'until', value: ({ served_until }) => served_until, isTime: true },
  { name: 'issuer', value: ({ issuer }) => issuer, shrinks: true },
  { name: 'expires', value: ({ not_after }) => not_after, isTime: true },
  { name: 'names', value: ({ names }) => names.join(' '), shrinks: true, optional: true },
  { name: 'serial', value: ({ serial_number }) => serial_number, optional: true },
];

/** The fields of a certificate that `--columns` can name. */
export const CERTIFICATE_FIELDS: FieldsOf<CertificateResource> = {
  id: VALUE,
  issuer: VALUE,
  serial_number: VALUE,
  names: VALUE,
  not_before: VALUE,
  not_after: VALUE,
  served_from: VALUE,
  served_until: VALUE,
};
