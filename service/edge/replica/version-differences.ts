import type { KeyVersion } from './replica.ts';

/** Returns the keys whose versions differ between a source and a copy. `compared` is the version in the copy; null if it has none. */
export function versionDifferences<Own extends KeyVersion>(
  source: readonly KeyVersion[],
  own: readonly Own[],
): { key: string; compared: Own | null }[] {
  const stored = new Map(own.map((each) => [each.key, each]));
  const different: { key: string; compared: Own | null }[] = [];
  for (const { key, epoch, number } of source) {
    const compared = stored.get(key) ?? null;
    stored.delete(key);
    if (compared?.epoch !== epoch || compared.number !== number) different.push({ key, compared });
  }
  return [...different, ...[...stored.values()].map((compared) => ({ key: compared.key, compared }))];
}
