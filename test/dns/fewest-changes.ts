import { type ModelRecord, parentOf, recordsAt } from './zone-model.ts';

/** The conditions under which a domain can be active without any finding. */
export interface Goal {
  hostname: string;
  zone: string;
  /** The CNAME target. Visitors of `addresses` reach the edge, directly or through a proxy. */
  target: string;
  addresses: readonly string[];
  /** The absolute name of the TXT record. */
  proofName: string;
  proof: string;
  /** The name of the certificate authority in CAA records. */
  issuer: string;
  /** Records that have nothing to do with the hostname. No change may touch them. */
  kept: readonly ModelRecord[];
}

const CHANGES_MAX = 6;

/**
 * Returns the smallest number of changes that bring a zone to its goal. Tries all sets of changes, the smallest first. A change adds,
 * removes or replaces a record. Uses nothing of the code under test.
 */
export function fewestChanges(records: readonly ModelRecord[], goal: Goal): number {
  const removable = records.filter((record) => !goal.kept.some((kept) => isSame(kept, record)));
  const addable = usefulRecords(goal).filter((record) => !records.some((other) => isSame(other, record)));
  for (let count = 0; count <= CHANGES_MAX; count++) {
    for (const removed of subsets(removable, count)) {
      for (const added of subsets(addable, count)) {
        if (changeCount(removed, added) !== count) continue;
        if (isReached([...records.filter((record) => !removed.includes(record)), ...added], goal))
          return count;
      }
    }
  }
  throw new Error(`${goal.hostname} needs more than ${CHANGES_MAX} changes`);
}

/** Returns whether a domain becomes and stays `active` with the records of a zone. */
export function isReached(records: readonly ModelRecord[], goal: Goal): boolean {
  return (
    isValidZone(records, goal) &&
    leadsToUs(records, goal) &&
    mayIssue(records, goal) &&
    !records.some(({ name, type }) => name === `_acme-challenge.${goal.hostname}` && type === 'CNAME') &&
    !records.some(({ name, type, value }) => name === goal.hostname && type === 'HTTPS' && value !== '1 .') &&
    !records.some(
      ({ name, type, value }) => type === 'TXT' && value === `"${goal.proof}"` && name !== goal.proofName,
    ) &&
    !records.some(({ type }) => type === 'STALE-DS')
  );
}

/** Returns whether every CNAME is the only record at its name and not at the apex of the zone (RFC 1034 section 3.6.2). */
function isValidZone(records: readonly ModelRecord[], { zone }: Goal): boolean {
  return records
    .filter(({ type }) => type === 'CNAME')
    .every(({ name }) => name !== zone && records.filter((record) => record.name === name).length === 1);
}

function leadsToUs(
  records: readonly ModelRecord[],
  { hostname, target, addresses, proofName, proof }: Goal,
): boolean {
  let name = hostname;
  const passed = new Set<string>();
  for (;;) {
    const here = recordsAt(records, name);
    const cname = here.find(({ type }) => type === 'CNAME');
    if (cname === undefined) {
      const found = here.filter(({ type }) => type === 'A' || type === 'AAAA');
      const isOurs = found.length > 0 && found.every(({ value }) => addresses.includes(value));
      return (
        isOurs &&
        recordsAt(records, proofName).some(({ type, value }) => type === 'TXT' && value === `"${proof}"`)
      );
    }
    if (cname.value === target) return true;
    if (passed.has(cname.value)) return false;
    passed.add(cname.value);
    name = cname.value;
  }
}

/** Returns whether the CAA records permit the issuer. The records closest to the hostname apply (RFC 8659 section 3). */
function mayIssue(records: readonly ModelRecord[], { hostname, issuer }: Goal): boolean {
  for (let name = hostname; name !== ''; name = parentOf(name)) {
    const set = recordsAt(records, name).filter(({ type }) => type === 'CAA');
    if (set.length === 0) continue;
    const tagged = set.map(({ value }) => value.split(' '));
    const isUnreadable = tagged.some(
      ([flags, tag]) => Number(flags) >= 128 && !['issue', 'issuewild', 'iodef'].includes(tag ?? ''),
    );
    const issuers = tagged.filter(([, tag]) => tag === 'issue').map(([, , value]) => value);
    return !isUnreadable && (issuers.length === 0 || issuers.includes(`"${issuer}"`));
  }
  return true;
}

/** Returns the records that could bring the zone to its goal. */
function usefulRecords({ hostname, zone, target, addresses, proofName, proof, issuer }: Goal): ModelRecord[] {
  const caa = { type: 'CAA', value: `0 issue "${issuer}"` };
  return [
    { name: hostname, type: 'CNAME', value: target },
    ...addresses.map((value) => ({ name: hostname, type: 'A', value })),
    { name: proofName, type: 'TXT', value: `"${proof}"` },
    ...[...new Set([hostname, zone])].map((name) => ({ name, ...caa })),
  ];
}

/** Counts changes. A removed and an added record count as one replacement only if both have the same name and purpose. */
function changeCount(removed: readonly ModelRecord[], added: readonly ModelRecord[]): number {
  const places = new Set([...removed, ...added].map(placeOf));
  const at = (records: readonly ModelRecord[], place: string) =>
    records.filter((record) => placeOf(record) === place).length;
  return [...places].reduce((sum, place) => sum + Math.max(at(removed, place), at(added, place)), 0);
}

function placeOf({ name, type }: ModelRecord): string {
  return `${name} ${['A', 'AAAA', 'CNAME'].includes(type) ? 'leads on' : type}`;
}

function isSame(one: ModelRecord, other: ModelRecord): boolean {
  return one.name === other.name && one.type === other.type && one.value === other.value;
}

/** Returns all subsets with at most `sizeMax` elements. */
function* subsets<T>(all: readonly T[], sizeMax: number, from = 0): Generator<T[]> {
  yield [];
  if (sizeMax === 0) return;
  for (let index = from; index < all.length; index++) {
    for (const rest of subsets(all, sizeMax - 1, index + 1)) yield [all[index] as T, ...rest];
  }
}
