import { FIXABLE_CODES } from '../../shared/core/dns/changes/finding-changes.ts';
import { WITHOUT_CHANGES } from '../../shared/core/dns/changes/without-changes.ts';
import { DNS_REASONS } from '../../shared/core/dns/dns-reasons.ts';

/** Counts for each finding how many zones had only this finding, and how many had other findings too. */
export interface FindingTable {
  alone: ReadonlyMap<string, number>;
  paired: ReadonlyMap<string, number>;
  text: string;
}

/** @param found for each zone, the codes of its findings before any change. */
export function findingTable(found: readonly (readonly string[])[]): FindingTable {
  const alone = new Map<string, number>();
  const paired = new Map<string, number>();
  const pairs = new Set<string>();
  for (const codes of found) {
    const counts = codes.length === 1 ? alone : paired;
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const one of codes) for (const other of codes) if (one < other) pairs.add(`${one} ${other}`);
  }
  const codes = new Set<string>([
    ...Object.keys(DNS_REASONS),
    ...FIXABLE_CODES,
    ...Object.keys(WITHOUT_CHANGES),
  ]);
  const reasons: Readonly<Record<string, string>> = WITHOUT_CHANGES;
  const lines = [...codes].map((code) => {
    const counts = `${alone.get(code) ?? 0} alone, ${paired.get(code) ?? 0} with others`;
    const reason = reasons[code];
    return `  ${code.padEnd(28)} ${counts}${reason === undefined ? '' : `; no changes: ${reason}`}`;
  });
  return { alone, paired, text: [...lines, `  ${pairs.size} different pairs`].join('\n') };
}
