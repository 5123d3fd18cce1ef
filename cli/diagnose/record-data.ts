import type { Diagnosis } from '../../shared/schema/diagnosis.ts';

/** A DNS change whose texts have no control characters, so that it can be passed to another program. */
export type ShownChange = Diagnosis['findings'][number]['changes'][number];

interface TypedValue {
  type: string;
  value: string;
}

/** Returns the data of a DNS record as text, as in a master file, with absolute names (RFC 1035 section 5.1). */
export function recordData({ type, value }: TypedValue): string {
  if (type === 'CNAME') return `${plainName(value)}.`;
  if (type === 'MX') return `${plainName(value)}.`;
  if (type === 'HTTPS')
    return value.replace(
      /^(\d+) ([^ ]*[^ .])(?= |$)/,
      (_, priority, name) => `${priority} ${plainName(name)}.`,
    );
  if (type !== 'TXT') return value;
  return (value.match(STRING) ?? ['']).map((part) => `"${part.replaceAll('"', '\\"')}"`).join(' ');
}

/** Escapes the characters of a name that have a special meaning in a master file. */
export function plainName(name: string): string {
  return name.replace(/["();@$]/g, '\\$&');
}

/** Maximum length in bytes of one string of a TXT record (RFC 1035 section 3.3). An escape counts as one byte. */
const STRING = /(?:\\\d{3}|\\.|[^\\]){1,255}/gs;
