import { registrableDomain } from '../../shared/core/domains/hostname.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import { plainText } from '../output/plain-text.ts';
import { plainName, recordData, type ShownChange } from './record-data.ts';
import { terraformOf } from './terraform.ts';

/** The formats of `domains diagnose --format`. */
export const CHANGE_FORMATS = ['json', 'zone', 'terraform', 'nsupdate'] as const;
export type ChangeFormat = (typeof CHANGE_FORMATS)[number];

/**
 * Formats the DNS changes that all findings suggest, for a program that applies them. Returns an empty text if there are no changes.
 * @param findings untrusted: their texts come from servers.
 */
export function formatChanges({ findings, provider }: Diagnosis, format: ChangeFormat): string {
  const changes = withoutRepeats(findings.flatMap((finding) => finding.changes.map(printable)));
  return FORMATS[format](changes, provider?.id ?? null);
}

const FORMATS: Readonly<Record<ChangeFormat, (changes: ShownChange[], provider: string | null) => string>> = {
  json: (changes) => JSON.stringify(changes, null, 2),
  zone: (changes) => changes.flatMap(zoneLines).join('\n'),
  nsupdate: (changes) => [...Map.groupBy(changes, ({ zone }) => zone)].map(updateOf).join('\n'),
  terraform: terraformOf,
};

/** Removes control characters and line breaks from a change, because a line break in a value could start a new command. */
function printable({ action, type, zone, name, value, ttl, of }: ShownChange): ShownChange {
  const text = {
    type: plainText(type),
    zone: plainText(zone),
    name: plainText(name),
    value: plainText(value),
  };
  return { action, ...text, ttl, of: of && { type: plainText(of.type), value: plainText(of.value) } };
}

/** Removes repeated changes, because two findings about one name can suggest the same change. */
function withoutRepeats(changes: readonly ShownChange[]): ShownChange[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

function comments(change: ShownChange): string[] {
  return zoneLines(change).map((line) => (line.startsWith(';') ? line : `; add ${line}`));
}

/** Returns lines of a master file (RFC 1035 section 5). Records to delete are comments. */
function zoneLines(change: ShownChange): string[] {
  const { action, ttl } = change;
  const line = (record: { type: string; value: string }) =>
    `${fullName(change)} ${ttl} IN ${record.type} ${recordData(record)}`;
  const gone = goneRecord(change);
  return [
    ...(gone === null ? [] : [`; delete ${line(gone)}`]),
    ...(action === 'remove' ? [] : [line(change)]),
  ];
}

/**
 * Returns the `nsupdate` commands that change a zone, as one atomic update (RFC 2136 section 3). If a CNAME replaces records of other
 * types, a separate update deletes them first, because Knot 3.2 otherwise ignores the CNAME in a signed zone. Changes at a registry become
 * comments, because customers make them at their registrar.
 */
function updateOf([zone, changes]: [string, ShownChange[]]): string {
  if (registrableDomain(zone) === null)
    return ['; At the registrar:', ...changes.flatMap(comments)].join('\n');
  const deletions = changes.flatMap((change) => {
    const gone = isRenewedCname(change) ? null : goneRecord(change);
    return gone === null ? [] : [`update delete ${fullName(change)} ${gone.type} ${recordData(gone)}`];
  });
  const additions = changes.flatMap((change) => {
    const { action, type, ttl } = change;
    return action === 'remove' ? [] : [`update add ${fullName(change)} ${ttl} ${type} ${recordData(change)}`];
  });
  const isApart =
    deletions.length > 0 && changes.some(({ action, type }) => action !== 'remove' && type === 'CNAME');
  const updates = isApart ? [deletions, additions] : [[...deletions, ...additions]];
  return updates.map((lines) => [`zone ${plainName(zone)}.`, ...lines, 'send'].join('\n')).join('\n');
}

/** Returns true for a CNAME that replaces a CNAME. The server removes the old CNAME when it adds the new one (RFC 2136 section 3.4.2.2). */
function isRenewedCname({ action, type, of }: ShownChange): boolean {
  return action === 'replace' && type === 'CNAME' && of?.type === 'CNAME';
}

function goneRecord({ action, type, value, of }: ShownChange): { type: string; value: string } | null {
  return action === 'remove' ? { type, value } : of;
}

function fullName({ name, zone }: ShownChange): string {
  return plainName(name === '@' ? `${zone}.` : `${name}.${zone}.`);
}
