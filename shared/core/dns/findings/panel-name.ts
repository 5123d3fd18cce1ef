import { isUnder } from '../../domains/hostname.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';

/**
 * Returns a name as the DNS panel of its zone expects it: `@` for the zone itself, else the labels before it. A zone delegated below the
 * registrable domain has its own panel. A name outside of both zones is returned unchanged.
 */
export function panelName(name: string, survey: DnsSurvey, { registrable }: DnsExpectation): string {
  const cut = survey.delegation?.zone ?? registrable;
  const zone = isUnder(cut, registrable) && isUnder(name, cut) ? cut : registrable;
  if (name === zone) return '@';
  return isUnder(name, zone) ? name.slice(0, -zone.length - 1) : name;
}
