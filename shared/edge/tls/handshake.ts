import type { SecureContext, TLSSocket } from 'node:tls';
import type { ChallengeSource, ServedCertificate } from '../../ports/certificates.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { createLookups } from '../routing/lookups.ts';
import { plainServername } from './client-hello.ts';
import type { SecureContexts } from './secure-contexts.ts';
import { closeContext, contextOf } from './tls-settings.ts';

/**
 * The ALPN protocol with which a certificate authority checks a TLS-ALPN-01 challenge. The authority makes a handshake and sends no data
 * (RFC 8737 section 3).
 */
export const ACME_TLS = 'acme-tls/1';

/** The callbacks of a TLS server that choose the protocol and the certificate of each handshake. */
export interface Handshake {
  ALPNCallback(this: TLSSocket, offer: { servername: string; protocols: string[] }): string | undefined;
  SNICallback(this: TLSSocket, servername: string, done: SniDone): void;
}

export interface HandshakeOptions {
  contexts: SecureContexts;
  challenges: ChallengeSource | null;
  limits: EdgeLimits;
  onFailure: (failure: HandshakeFailure) => void;
}

/** The reason, for the log, why a handshake got no certificate although there may be one. */
export interface HandshakeFailure {
  of: 'certificate' | 'challenge';
  hostname: string;
  error: unknown;
}

type SniDone = (error: Error | null, context?: SecureContext) => void;

/**
 * Creates the callbacks that choose the protocol and the certificate. TLS 1.3 chooses the protocol before the certificate, TLS 1.2
 * afterwards. So with TLS 1.2, both the certificate and a challenge are looked up. If the protocol turns out to be acme-tls/1, the
 * challenge certificate is used instead.
 */
export function createHandshake({ contexts, challenges, limits, onFailure }: HandshakeOptions): Handshake {
  const challenged = new WeakSet<TLSSocket>();
  const prepared = new WeakMap<TLSSocket, ServedCertificate>();
  const lookups = challenges
    ? createLookups<ServedCertificate>({
        find: (hostname) => challenges.findChallengeCertificate(hostname),
        absentMs: limits.challenge_absent_ms,
        runningMax: limits.certificate_lookups_max,
        waitMs: limits.certificate_wait_ms,
      })
    : null;

  async function contextFor(socket: TLSSocket, hostname: string): Promise<SecureContext | null> {
    if (challenged.has(socket)) {
      const challenge = await findChallenge(hostname);
      return challenge === null ? null : contextOnce(challenge);
    }
    // Waits only briefly for the challenge, because a slow database must not delay visitors whose certificates are in memory.
    const challenge = isBeforeAlpn(socket)
      ? await within(findChallenge(hostname), limits.challenge_wait_ms)
      : null;
    // Looks up the certificate last and uses its context immediately, because the cache may close the context while the handshake waits.
    const certificate = await contexts.find(hostname);
    if (!challenge) return certificate;
    prepared.set(socket, challenge);
    // OpenSSL chooses the protocol only if there is a certificate. Before the first issuance, only the challenge certificate exists.
    return certificate ?? contextOnce(challenge);
  }

  function isBeforeAlpn(socket: TLSSocket): boolean {
    return lookups !== null && socket.getProtocol() === 'TLSv1.2';
  }

  async function findChallenge(hostname: string): Promise<ServedCertificate | null> {
    try {
      return (await lookups?.find(hostname)) ?? null;
    } catch (error) {
      onFailure({ of: 'challenge', hostname, error });
      return null;
    }
  }

  return {
    ALPNCallback({ protocols }) {
      const protocol = protocolOf(protocols, lookups !== null);
      if (protocol !== ACME_TLS) return protocol;
      challenged.add(this);
      if (this.getProtocol() === 'TLSv1.2') {
        const challenge = prepared.get(this);
        if (!challenge) return undefined;
        this.setKeyCert(contextOnce(challenge));
      }
      return protocol;
    },

    SNICallback(servername, done) {
      const hostname = plainServername(servername);
      const ready = challenged.has(this) || isBeforeAlpn(this) ? null : contexts.ready(hostname);
      if (ready) return done(null, ready);
      contextFor(this, hostname).then(
        // Without a context, OpenSSL has no certificate to send and ends the handshake with the alert handshake_failure.
        (context) => done(null, context ?? undefined),
        (error: unknown) => {
          onFailure({ of: 'certificate', hostname, error });
          done(null);
        },
      );
    },
  };
}

/**
 * Chooses the protocol. acme-tls/1 must be the only one on offer (RFC 8737 section 3). Returns undefined to end the handshake (RFC 7301
 * section 3.2).
 */
function protocolOf(offered: readonly string[], answersChallenges: boolean): string | undefined {
  if (offered.includes(ACME_TLS)) return answersChallenges && offered.length === 1 ? ACME_TLS : undefined;
  return ['h2', 'http/1.1'].find((protocol) => offered.includes(protocol));
}

/**
 * Creates the TLS context of a challenge certificate for a single handshake. Does not cache the context, because a challenge certificate is
 * rarely requested again.
 */
function contextOnce(certificate: ServedCertificate): SecureContext {
  const context = contextOf(certificate);
  closeContext(context);
  return context;
}

async function within<T>(work: Promise<T>, durationMs: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), durationMs);
  const first = await Promise.race([work, late.promise]);
  clearTimeout(timer);
  return first;
}
