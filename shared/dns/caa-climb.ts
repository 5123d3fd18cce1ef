import type { Lookup } from '../core/dns/dns-survey.ts';
import { isAskable, parentOf } from './wire/wire-name.ts';

/** Maximum number of names, because a chain of long names has many parent names. */
const NAMES_MAX = 60;

/** Looks CAA up once at the name, at each CNAME target, and at every name above them (RFC 8659 section 3). */
export async function climbCaa(ask: (name: string) => Promise<Lookup>, hostname: string): Promise<Lookup[]> {
  const names = withParents(hostname);
  const own = await Promise.all(names.map(ask));
  const targets = (own[0]?.records ?? []).flatMap(({ type, value }) => (type === 'CNAME' ? [value] : []));
  const others = new Set(targets.flatMap(withParents).filter((name) => isAskable(name)));
  const more = [...others].filter((name) => !names.includes(name)).slice(0, NAMES_MAX);
  return [...own, ...(await Promise.all(more.map(ask)))];
}

/** Returns the name and all names above it, without the root, which has no CAA. */
function withParents(hostname: string): string[] {
  const names: string[] = [];
  for (let name: string | null = hostname; name !== null && name !== '.'; name = parentOf(name))
    names.push(name);
  return names;
}
