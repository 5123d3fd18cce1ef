import type { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import {
  challengeDigest,
  challengeText,
  delegationTarget,
} from '../../shared/core/certificates/acme-challenge.ts';
import type { EdgeProbe, EdgeView } from '../../shared/ports/outbound.ts';

export interface EdgeProbeOptions {
  /** The addresses at which this node reaches the edge: the edge's public addresses, unless the operator has set other addresses. */
  addresses: readonly string[];
  httpPort: number;
  httpsPort: number;
  /** Our name servers as `ip:port`, and the zone of delegated challenges; null without the role `dns`. */
  nameServers?: { addresses: readonly string[]; challengeZone: string } | null;
  timeoutMs?: number;
}

/**
 * The result for one address. `away` means that the address does not respond. `silent` means that the edge there cannot answer now. Neither
 * result shows whether the edge has the right content.
 */
type ProbeResult = 'right' | 'wrong' | 'silent' | 'away';
/**
 * The outcomes without usable content: `unavailable` if the edge cannot answer now, `refused` for any other response, and null for no
 * response.
 */
type Failure = 'refused' | 'unavailable' | null;

/**
 * Once one address has the right content, the probe waits only this long for the other addresses, so that an outage of one address does not
 * delay every certificate.
 */
const LATE_MS = 500;

/**
 * Creates a probe that connects to the edge's own addresses, with the hostname in `Host` and SNI. The probe does not depend on the
 * hostname's DNS records.
 */
export function createEdgeProbe({
  addresses,
  httpPort,
  httpsPort,
  nameServers = null,
  timeoutMs = 5_000,
}: EdgeProbeOptions): EdgeProbe {
  async function checkAll(
    look: (address: string) => Promise<ProbeResult>,
    asked: readonly string[] = addresses,
  ): Promise<EdgeView> {
    const looks = asked.map(look);
    if (!(await oneIsRight(looks)))
      return (await Promise.all(looks)).every((each) => each === 'away') && { unreachable: asked };
    const waited = new AbortController();
    const late = delay<ProbeResult>(LATE_MS, 'silent', { signal: waited.signal });
    const shown = await Promise.all(looks.map((each) => Promise.race([each, late])));
    late.catch(() => undefined); // The abort below rejects it, and nothing waits for it.
    waited.abort();
    return !shown.includes('wrong');
  }

  const handshake = (host: string, servername: string, protocol: string) =>
    firstCertificate({ host, port: httpsPort, timeoutMs }, servername, protocol);

  return {
    answersChallenge({ hostname, domain_id, method, token, key_authorization, redirected_to }) {
      if (method === 'dns-01') {
        if (nameServers === null) return Promise.resolve(false);
        const name = delegationTarget(domain_id, nameServers.challengeZone);
        const expected = challengeText(key_authorization);
        return checkAll(async (server) => {
          const texts = await textsAt(server, name, timeoutMs);
          return classify(texts, (found) => found.includes(expected));
        }, nameServers.addresses);
      }
      if (method === 'http-01') {
        const path = `/.well-known/acme-challenge/${token}`;
        return checkAll(async (host) => {
          const body = await httpBody({ host, port: httpPort, timeoutMs }, redirected_to ?? hostname, path);
          return classify(body, (text) => text === key_authorization);
        });
      }
      const digest = Buffer.from(challengeDigest(key_authorization));
      return checkAll(async (address) =>
        classify(await handshake(address, hostname, 'acme-tls/1'), ({ raw }) => raw.includes(digest)),
      );
    },

    showsCertificate: (hostname, serial) =>
      checkAll(async (address) =>
        classify(
          await handshake(address, hostname, 'http/1.1'),
          ({ serialNumber }) => serialNumber.toLowerCase() === serial,
        ),
      ),
  };
}

/** Returns true as soon as one address has the right result. Returns false if all addresses have a result and none is right. */
async function oneIsRight(looks: readonly Promise<ProbeResult>[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  for (const look of looks) look.then((shown) => shown === 'right' && resolve(true));
  Promise.all(looks).then(() => resolve(false));
  return promise;
}

/** Converts the content or the failure from an address into a result. */
function classify<T>(seen: T | Failure, isRight: (seen: T) => boolean): ProbeResult {
  if (seen === null) return 'away';
  if (seen === 'unavailable') return 'silent';
  return seen !== 'refused' && isRight(seen) ? 'right' : 'wrong';
}

/** Returns the TXT records of a name from one DNS server. @param server `ip:port`. */
async function textsAt(server: string, name: string, timeoutMs: number): Promise<string[] | Failure> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers([server]);
  try {
    return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ETIMEOUT' || code === 'ECONNREFUSED' ? null : 'refused';
  }
}

/**
 * An edge that cannot read the database responds to a challenge request with status 503, and to a handshake with a TLS alert of this code.
 */
const UNAVAILABLE = 503;
const INTERNAL_ERROR = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';

/** The maximum length of a body that is read. Every key authorization is shorter. */
const BODY_CHARS_MAX = 1024;

interface Target {
  host: string;
  port: number;
  timeoutMs: number;
}

function httpBody(target: Target, hostname: string, path: string): Promise<string | Failure> {
  const { promise, resolve } = Promise.withResolvers<string | Failure>();
  const asked = request({
    host: target.host,
    port: target.port,
    path,
    headers: { Host: hostname, 'User-Agent': 'nameplate-edge-probe' },
    agent: false,
    signal: AbortSignal.timeout(target.timeoutMs),
  });
  asked.on('response', (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > BODY_CHARS_MAX) asked.destroy();
    });
    answer.on('close', () => {
      if (answer.statusCode === UNAVAILABLE) resolve('unavailable');
      else resolve(answer.statusCode === 200 && answer.complete ? body.trimEnd() : 'refused');
    });
  });
  // Without a response, resolve with null. After an incomplete response, the `close` handler above has resolved already.
  asked.on('error', () => resolve(null));
  asked.end();
  return promise;
}

/** Returns the leaf certificate of a handshake. Does not verify its issuer, because we look for one specific certificate. */
function firstCertificate(
  { host, port, timeoutMs }: Target,
  servername: string,
  protocol: string,
): Promise<X509Certificate | Failure> {
  const { promise, resolve } = Promise.withResolvers<X509Certificate | Failure>();
  const socket: TLSSocket = connect({
    host,
    port,
    servername,
    ALPNProtocols: [protocol],
    rejectUnauthorized: false,
  });
  let connected = false;
  const finish = (seen: X509Certificate | Failure) => {
    clearTimeout(timer);
    resolve(seen);
    socket.destroy();
  };
  const timer = setTimeout(() => finish(null), timeoutMs);
  socket.once('connect', () => {
    connected = true;
  });
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    finish(certificate && socket.alpnProtocol === protocol ? certificate : 'refused');
  });
  // For a name without a certificate, the edge aborts the handshake.
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === INTERNAL_ERROR) finish('unavailable');
    else finish(connected ? 'refused' : null);
  });
  return promise;
}
