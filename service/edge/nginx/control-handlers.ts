import { isIP } from 'node:net';
import { ConnectFailure, type Guard, triedAddresses } from '../../../shared/adapters/guarded-connect.ts';
import {
  type FoundRoute,
  type RouteSource,
  UnreadableRouteError,
} from '../../../shared/core/edge/edge-route.ts';
import type { ServiceNames } from '../../../shared/core/service-name.ts';
import type { EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import type { EdgeResponse } from '../../../shared/edge/edge-responses.ts';
import { constantHeaders } from '../../../shared/edge/forwarding/request-headers.ts';
import { challengeResponse, challengeToken } from '../../../shared/edge/routing/challenge-path.ts';
import { createLookups } from '../../../shared/edge/routing/lookups.ts';
import type { HandshakeFailure } from '../../../shared/edge/tls/handshake.ts';
import { closeContext, contextOf } from '../../../shared/edge/tls/tls-settings.ts';
import { headerLines } from '../../../shared/edge/wire/raw-headers.ts';
import type {
  CertificateSource,
  ChallengeSource,
  ServedCertificate,
} from '../../../shared/ports/certificates.ts';
import type { Ids } from '../../../shared/ports/system.ts';
import type { ControlHandler, Fields } from './control-server.ts';

export interface ControlOptions {
  findRoute: RouteSource;
  certificates: CertificateSource | null;
  challenges: ChallengeSource | null;
  names: ServiceNames;
  ids: Ids;
  limits: EdgeLimits;
  /** Resolves and checks the hosts of origins. */
  resolve: Guard['resolve'];
  resolveTimeoutMs: number;
  /** The address of the operator's sandbox origin. The guard against private addresses does not apply to it. */
  sandboxOrigin: string | null;
  /** The address of the server for white-label hosts; null if there is none. */
  pagesOrigin: string | null;
  /** Returns whether a hostname is served over plain HTTP. */
  isPlain: (hostname: string) => boolean;
  onHandshakeFailure: (failure: HandshakeFailure) => void;
}

/** The handlers of nginx's requests to the node process, which makes the decisions for nginx. */
export interface Control {
  handlers: Readonly<Record<string, ControlHandler>>;
  /** Discards the cached result that a hostname has no certificate. @param hostname null for all hostnames. */
  forget(hostname: string | null): void;
}

export function createControl(options: ControlOptions): Control {
  const { names, ids, limits, certificates, challenges, sandboxOrigin } = options;
  let turn = 0;
  const lookups = createLookups<ServedCertificate>({
    find: async (hostname) => (await certificates?.findCertificate(hostname)) ?? null,
    absentMs: limits.certificate_absent_ms,
    runningMax: limits.certificate_lookups_max,
    waitMs: limits.certificate_wait_ms,
  });

  async function findRoute(hostname: string): Promise<FoundRoute | 'unreadable'> {
    try {
      return await options.findRoute(hostname);
    } catch (error) {
      if (error instanceof UnreadableRouteError) return 'unreadable';
      throw error;
    }
  }

  async function addressesOf({ hostname, protocol }: URL): Promise<string[]> {
    const name = hostname.replace(/^\[|\]$/g, '');
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new ConnectFailure('timeout', 'the origin was not looked up in time')),
      options.resolveTimeoutMs,
    );
    try {
      const found = await Promise.race([options.resolve(name, protocol), late.promise]);
      return triedAddresses(found, turn++);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The operator's own servers by name. The guard against private addresses does not apply to them. An app cannot use these names, because
   * its origins are URLs.
   */
  const ownOrigins: Readonly<Record<string, string | null>> = {
    sandbox: sandboxOrigin,
    connect: options.pagesOrigin,
  };

  const handlers: Record<string, ControlHandler> = {
    async route(hostname = '') {
      const found = await findRoute(hostname);
      if (found === null) return null;
      if (typeof found === 'string') return { kind: found };
      const { origin, origin_headers, domain_id, app_id, signing_secret, redirectTo, until } = found;
      if (origin?.kind === 'sandbox' && sandboxOrigin === null)
        throw new Error('the route leads to the sandbox origin, but none is configured');
      return {
        kind: 'route',
        domain_id,
        app_id,
        origin: origin?.kind === 'app' ? new URL(origin.url).origin : (origin?.kind ?? ''),
        redirect_to: redirectTo ?? '',
        until: String(until),
        secret: signing_secret,
        headers: constantHeaders(found, names),
        origin_header_names: Object.keys(origin_headers ?? {})
          .join(' ')
          .toLowerCase(),
        plain: options.isPlain(hostname) ? '1' : '',
      };
    },
    async certificate(hostname = '', known = '') {
      try {
        const found = await lookups.find(hostname);
        // Parse the certificate here, because nginx's error for an invalid certificate is less clear.
        if (found !== null) closeContext(contextOf(found));
        return found && { chain: found.chain, private_key: found.private_key };
      } catch (error) {
        // If nginx has an earlier certificate, it uses that certificate for the handshake.
        if (known === '') options.onHandshakeFailure({ of: 'certificate', hostname, error });
        throw error;
      }
    },
    async origin(origin = '') {
      const own = ownOrigins[origin];
      const url = new URL(own ?? origin);
      const { hostname, protocol, port } = url;
      const at = { host: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
      if (own) return { ...at, error: '', addresses: hostname };
      try {
        return { ...at, error: '', addresses: (await addressesOf(url)).map(bracketed).join(' ') };
      } catch (error) {
        if (!(error instanceof ConnectFailure)) throw error;
        return { ...at, error: `${error.error} ${error.message}`, addresses: '' };
      }
    },
    async challenge(hostname = '', pathAndQuery = '') {
      const token = challengeToken('GET', pathAndQuery);
      if (challenges === null || token === null) return null;
      const response = await challengeResponse(challenges, hostname, token, ids('req'));
      return response && responseFields(response);
    },
  };
  return {
    handlers,
    forget(hostname) {
      if (hostname === null) lookups.forgetAll();
      else lookups.forget(hostname);
    },
  };
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function responseFields({ status, headers, body }: EdgeResponse): Fields {
  return { status: String(status), headers: headerLines(headers).replaceAll('\r\n', '\n'), body };
}
