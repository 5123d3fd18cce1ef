import { cnameTarget } from '../../../shared/core/apps/app.ts';
import {
  challengeName,
  challengeText,
  delegationLabel,
  delegationTarget,
} from '../../../shared/core/certificates/acme-challenge.ts';
import { inView } from '../../../shared/core/domains/ownership.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { readClaims } from '../../../shared/operations/dns/hostname-claimants.ts';
import { surveyHostname } from '../../../shared/operations/dns/survey-hostname.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { presentDomain } from '../../../shared/operations/domains/present-domain.ts';
import type { Dns } from '../../../shared/ports/dns.ts';
import type { CreateDomain } from '../../../shared/schema/domain.ts';
import { findApp } from '../../../shared/store/accounts/apps.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { surveyOf } from '../../core/dns/survey-builder.ts';
import { challengeSource, storedReader } from '../edge/stored-values.ts';
import { certificateWorld } from './certificate-world.ts';
import { rightDns } from './right-dns.ts';

export const HOST = 'careers.acme.com';
const CHALLENGE_ZONE = 'acme.edge.service.test';

/** Creates a service with test ACME servers and our own name server. `delegations` has the CNAME at `_acme-challenge` of each hostname. */
export async function preparingWorld() {
  const under = await certificateWorld();
  const { context } = under.world;
  const delegations = new Map<string, string>();
  context.settings = { ...context.settings, challengeZone: CHALLENGE_ZONE };
  context.cnameLookup = {
    chain: async (host) => {
      const found = [...delegations].find(([hostname]) => challengeName(hostname) === host);
      return found === undefined ? [] : [found[1]];
    },
  };
  const { edge } = under;
  under.edge = {
    ...edge,
    async answersChallenge(challenge) {
      const { method, domain_id, redirected_to, token, key_authorization } = challenge;
      if (method === 'dns-01') {
        const { findDnsTexts } = await storedReader(context);
        return findDnsTexts(delegationLabel(domain_id)).includes(challengeText(key_authorization));
      }
      if (redirected_to === undefined) return edge.answersChallenge(challenge);
      const answer = await challengeSource(context).findKeyAuthorization(redirected_to, token);
      return answer === key_authorization;
    },
  };
  under.runChecks();
  return {
    under,
    delegations,
    async add(
      hostname: string,
      caller = under.caller,
      fields: Partial<CreateDomain> = {},
    ): Promise<DomainId> {
      const { body } = await createDomain(context, caller, { body: { ...fields, hostname } });
      return body.id as DomainId;
    },
    delegate: (hostname: string, id: DomainId) =>
      void delegations.set(hostname, delegationTarget(id, CHALLENGE_ZONE)),
    /** Returns the host at which the edge answers redirected challenges of the caller's app. */
    async targetOf({ app_id }: Pick<Caller, 'app_id'>): Promise<string> {
      const app = await findApp(context.store, app_id);
      if (app === null) throw new Error(`no app ${app_id}`);
      return cnameTarget(app, context.settings.edgeZone);
    },
    async isReady(id: DomainId): Promise<boolean> {
      return presentDomain(
        context,
        { ownTarget: 'target', host: null, connectBase: 'https://connect.test' },
        await under.domain(id),
      ).ready_to_switch;
    },
    async needsTxt(id: DomainId): Promise<boolean> {
      const claims = await readClaims(context, id);
      const own = claims.claimants.find(({ domain }) => domain.id === id);
      if (own === undefined) throw new Error(`no claim of ${id}`);
      // The hostname has our address in an A record, and no TXT record.
      const survey: Dns['survey'] = async (expectation) =>
        surveyOf(expectation, { zone: [{ a: [`A ${expectation.edgeIpv4[0]}`], txt: 'nodata' }] });
      const { found } = await surveyHostname(
        context,
        { ...rightDns({ caa: null }), survey },
        own,
        claims,
        'first',
      );
      return inView(own, claims.holder, found).expectation.txtRequired;
    },
    /** Lets days pass. Runs only one DNS check, at the end. */
    async passQuickly(durationMs: number): Promise<void> {
      delete under.handlers.check_dns;
      await under.pass(durationMs);
      under.runChecks();
      await under.pass(MINUTE_MS);
    },
    serialOf: async (id: DomainId) => (await findNewestCertificate(context.store, id))?.serial,
    [Symbol.asyncDispose]: () => under[Symbol.asyncDispose](),
  };
}
