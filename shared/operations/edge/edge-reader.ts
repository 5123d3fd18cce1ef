import { createPrivateKey } from 'node:crypto';
import { challengeCertificate } from '../../core/certificates/acme-challenge.ts';
import { coveringHolds } from '../../core/domains/hostname.ts';
import {
  decidingNames,
  type FoundRoute,
  findRouteOf,
  followRoute,
  type KnownRoute,
  UnreadableRouteError,
} from '../../core/edge/edge-route.ts';
import {
  type EdgeKind,
  type EdgeValues,
  type HostCertificate,
  httpChallengeKey,
  routeAt,
  tlsChallengeKey,
} from '../../core/edge/edge-value.ts';
import type { CertificateSource, ChallengeSource } from '../../ports/certificates.ts';
import type { Clock } from '../../ports/system.ts';
import { makePrivateKey } from '../certificates/certificate-keys.ts';

/** The values that an edge serves from. */
export interface EdgeValueSource {
  /** Returns a value. Null if there is none, `unreadable` if it cannot be opened. The value of a host lacks its certificate. */
  find<K extends EdgeKind>(kind: K, name: string): EdgeValues[K] | 'unreadable' | null;
  certificateOf(hostname: string): HostCertificate | 'unreadable' | null;
  /** The names of all holds. */
  holds(): ReadonlySet<string>;
}

/** Answers an edge's questions from its values, without waiting. */
export interface EdgeReader {
  /** @throws UnreadableRouteError if a value of the route cannot be opened. */
  findRoute(hostname: string): FoundRoute;
  certificates: CertificateSource;
  challenges: ChallengeSource;
  /** Returns the texts of the TXT records at a label of the challenge zone. */
  findDnsTexts(label: string): readonly string[];
}

export function createEdgeReader(source: EdgeValueSource, clock: Clock): EdgeReader {
  function known(hostname: string): KnownRoute | undefined {
    const host = source.find('host', hostname);
    if (host === null) return undefined;
    const app = host === 'unreadable' ? host : source.find('app', host.app_id);
    if (host === 'unreadable' || app === null || app === 'unreadable')
      return { route: 'unreadable', redirectsWww: false };
    return { route: routeAt(hostname, host, app, clock.now()), redirectsWww: host.redirects_www };
  }

  function isHeld(hostname: string): boolean {
    const holds = source.holds();
    return holds.size > 0 && coveringHolds(hostname).some((name) => holds.has(name));
  }

  function keyAuthorization(key: string): string | null {
    const found = source.find('challenge', key.slice('challenge.'.length));
    return found === null || found === 'unreadable' ? null : found.key_authorization;
  }

  return {
    findRoute: (hostname) => findRouteOf(hostname, isHeld(hostname), known),
    certificates: {
      async findCertificate(hostname) {
        for (const name of decidingNames(hostname)) {
          const found = source.certificateOf(name);
          if (found === 'unreadable') throw new UnreadableRouteError();
          if (!found?.names.includes(hostname) || found.not_after <= clock.now()) continue;
          const issuers = source.find('chain', found.issuers);
          if (issuers === null || issuers === 'unreadable') throw new Error('the issuers cannot be read');
          const { leaf, private_key, serial } = found;
          return { chain: leaf + issuers.chain, private_key, serial };
        }
        return null;
      },
      isGone: (hostname) => followRoute(hostname, known) === null,
    },
    challenges: {
      findKeyAuthorization: async (host, token) => keyAuthorization(httpChallengeKey(host, token)),
      async findChallengeCertificate(hostname) {
        const found = keyAuthorization(tlsChallengeKey(hostname));
        if (found === null) return null;
        // The authority does not check this key, so each handshake gets a new key.
        const privateKey = await makePrivateKey();
        const key = createPrivateKey(privateKey);
        const chain = challengeCertificate(hostname, found, key, clock.now());
        return { chain, private_key: privateKey, serial: `challenge ${found}` };
      },
    },
    findDnsTexts(label) {
      const found = source.find('dns', label);
      return found === null || found === 'unreadable' ? [] : found.texts;
    },
  };
}
