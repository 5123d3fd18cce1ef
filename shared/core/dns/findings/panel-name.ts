import { isUnder } from '../../domains/hostname.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';

/**
 * A name as the DNS panel of its zone takes it: `@` for the zone itself, else the labels before it. A zone that was delegated
 * below the registrable domain has a panel of its own; a name outside of both stays whole.
 */
export function panelName(name: string, survey: DnsSurvey, { registrable }: DnsExpectation): string {
  const cut = survey.delegation?.zone ?? registrable;
  const zone = isUnder(cut, registrable) && isUnder(name, cut) ? cut : registrable;
  if (name === zone) return '@';
  return isUnder(name, zone) ? name.slice(0, -zone.length - 1) : name;
}
