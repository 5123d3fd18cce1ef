import { isUnder } from '../../domains/hostname.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';

/**
 * Returns a name as the DNS panel of its zone expects it: `@` for the zone itself, else the labels before the zone. Returns a name outside
 * the customer's zones unchanged.
 */
export function panelName(name: string, survey: DnsSurvey, expectation: DnsExpectation): string {
  const zone = panelZone(name, survey, expectation);
  if (name === zone) return '@';
  return zone === null ? name : name.slice(0, -zone.length - 1);
}

/**
 * Returns the zone in whose panel a customer finds a name. A zone delegated below the registrable domain has its own panel. Returns null
 * for a name outside both zones.
 */
export function panelZone(
  name: string,
  { delegation }: DnsSurvey,
  { registrable }: DnsExpectation,
): string | null {
  const cut = delegation?.zone ?? registrable;
  if (isUnder(cut, registrable) && isUnder(name, cut)) return cut;
  return isUnder(name, registrable) ? registrable : null;
}
