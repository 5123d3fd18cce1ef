import type { DnsExpectation } from '../../../../shared/core/dns/dns-expectation.ts';
import { diagnose } from '../../../../shared/core/dns/dns-findings.ts';
import type { Probes } from '../../../../shared/core/dns/dns-survey.ts';
import type { ReasonCode } from '../../../../shared/core/reasons.ts';
import {
  FOREIGN_V4,
  lookup,
  PROOF,
  type SaidSurvey,
  SUBDOMAIN,
  surveyOf,
  TARGET,
  V4,
  V6,
} from '../survey-builder.ts';

export const RIGHT = { a: [`CNAME ${TARGET}`] };
export const FLAT = { a: [`A ${V4}`], aaaa: [`AAAA ${V6}`] };
export const APEX_RIGHT = { ...FLAT, txt: [`TXT ${PROOF}`] };
export const NONE = { a: 'nxdomain' } as const;
export const TIMEOUT = { a: 'timeout', txt: 'timeout' } as const;
export const BLOCKED = { a: 'blocked', txt: 'blocked' } as const;
export const SERVFAIL = { a: 'servfail', txt: 'servfail' } as const;
export const ELSEWHERE = { a: ['CNAME cname.vercel-dns.com', 'A 76.76.21.21'] };
export const ADDRESS = { a: [`A ${FOREIGN_V4}`] };

/** Creates a survey of the three resolvers alone, which all return the same view. */
export function all(view: NonNullable<SaidSurvey['resolvers']>[number]): SaidSurvey {
  return { resolvers: [view, view, view] };
}

export const HOST = SUBDOMAIN.hostname;
export const DOUBLED = `${HOST}.acme.com`;
export const doubled = (
  host: readonly string[],
  random: readonly string[] | 'nxdomain',
): Partial<Probes> => ({
  doubledHost: lookup(DOUBLED, 'A', host),
  doubledWildcard: lookup('x7.acme.com.acme.com', 'A', random),
});
export const CLOUDFLARE = {
  parent_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  own_servers: [],
};
export const challenge = (target: string): Partial<Probes> => ({
  acmeChallenge: lookup(`_acme-challenge.${HOST}`, 'CNAME', [`CNAME ${target}`]),
});

export type Case = [title: string, said: SaidSurvey, codes: ReasonCode[]];

export function codesOf(expectation: DnsExpectation, said: SaidSurvey): ReasonCode[] {
  return diagnose(surveyOf(expectation, said), expectation).map(({ code }) => code);
}
