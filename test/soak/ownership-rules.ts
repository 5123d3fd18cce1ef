/** A rule of ownership: the code with the rule, and the code that replaces it to remove the rule. */
interface Rule {
  rule: string;
  file: string;
  code: string;
  becomes: string;
}

const OWNERSHIP = 'shared/core/domains/ownership.ts';
const CONFIRMATION = 'shared/core/dns/dns-confirmation.ts';

export const RULES: readonly Rule[] = [
  {
    rule: 'a chain names no other app',
    file: CONFIRMATION,
    code: "if (label !== null && !expectation.targets.includes(label)) return 'wrong';",
    becomes: '',
  },
  {
    rule: "a TXT record moves the hostname only while the holder's is absent",
    file: OWNERSHIP,
    code: "naming === 'txt' && isProofAbsent(survey, holder.expectation)",
    becomes: "naming === 'txt'",
  },
  {
    rule: 'a delegation moves the hostname from no holder',
    file: OWNERSHIP,
    code: 'domain.retired_at === null && isFree',
    becomes: 'domain.retired_at === null',
  },
  {
    rule: 'a retired delegation never names its domain again',
    file: OWNERSHIP,
    code: 'domain.retired_at === null && isFree',
    becomes: 'isFree',
  },
  {
    rule: 'a new holder retires the other domains',
    file: 'shared/operations/domains/claim-hostname.ts',
    code: 'if (other.id !== domain.id && !isHostedTest(other, tx.settings))',
    becomes: 'if (other.id === "none")',
  },
  {
    rule: 'a domain that is revived while another has the hostname is retired',
    file: 'shared/operations/domains/record-transition.ts',
    code: "trigger.name === 'recreate' && (await isHeldByAnother(tx, domain))",
    becomes: 'false',
  },
  {
    rule: 'the route of a prepared domain counts as none',
    file: OWNERSHIP,
    code: "return isAwaitingDns(status === 'held' ? (status_before_hold ?? 'pending_dns') : status);",
    becomes: 'return false;',
  },
  {
    rule: 'without a holder, a chain or a TXT record comes before a delegation',
    file: OWNERSHIP,
    code: 'apex: 1, delegation: 2 }',
    becomes: 'apex: 1, delegation: -1 }',
  },
  {
    rule: 'behind a proxy, only a TXT record proves ownership',
    file: OWNERSHIP,
    code: 'txtRequired || (isEligible(claimant) && !claimant.isWww)',
    becomes: 'txtRequired && !found.delegated.has(domain.id)',
  },
  {
    rule: 'a white-label host keeps the domains that are routed through it',
    file: CONFIRMATION,
    code: "if (isKept(view.a, expectation)) return 'right';",
    becomes: '',
  },
  {
    rule: 'a broken white-label host confirms no domain',
    file: CONFIRMATION,
    code: "if (host?.bars && leadsThrough(view.a, host.name)) return 'wrong';",
    becomes: '',
  },
  {
    rule: 'a host that moved to another account takes nothing before its grace ends',
    file: OWNERSHIP,
    code: 'return !isKeptFromOthers(holder, claimant, survey);',
    becomes: 'return true;',
  },
  {
    rule: 'the winner does not depend on whose check it is',
    file: 'shared/operations/dns/check-dns.ts',
    code: 'const winner = winnerOf(claimants, holder, survey);',
    becomes:
      'const winner = winnerOf(claimants.filter((each) => each.domain.id === own.domain.id), null, survey);',
  },
  {
    rule: "an app's own www domain comes before its apex that redirects the name",
    file: OWNERSHIP,
    code: 'if (claimant.isWww && claimant.domain.app_id === holder.domain.app_id) return false;',
    becomes: '',
  },
  {
    rule: 'a check concludes although another app changes its claim',
    file: 'shared/operations/dns/check-dns.ts',
    code: 'claims.holder?.domain.id !== basis.holder?.domain.id || !expectsSame(own, claim)',
    becomes: 'JSON.stringify(claims) !== JSON.stringify(basis)',
  },
  {
    rule: 'the deletion of a holder ends the delegations of the others',
    file: 'shared/operations/domains/record-transition.ts',
    code: 'await endDelegations(store, freed);',
    becomes: 'await endDelegations(store, []);',
  },
  {
    rule: 'an apex that loses its hostname loses its www name',
    file: 'shared/operations/domains/claim-hostname.ts',
    code: 'await giveUpWww(tx, loser);',
    becomes: '',
  },
];
