import type { ServerOptions } from 'node:http';
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { CertificateSource, ChallengeSource } from '../../ports/certificates.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { ACME_TLS, createHandshake, type HandshakeFailure } from '../tls/handshake.ts';
import { createSecureContexts, type SecureContexts } from '../tls/secure-contexts.ts';
import { TLS_SETTINGS } from '../tls/tls-settings.ts';
import { readHellos, type VisitorHellos } from '../tls/visitor-hellos.ts';

export interface EdgeTls {
  certificates: CertificateSource;
  /** Source of certificates for TLS-ALPN-01 challenges (RFC 8737). */
  challenges?: ChallengeSource;
  /**
   * 48 random bytes that encrypt session tickets. They must be the same on every node, so that a visitor can resume a session on any node.
   * By default, each process creates its own.
   */
  ticketKeys?: Buffer;
  onFailure?: (failure: HandshakeFailure) => void;
}

/** A TLS server for HTTP/1.1 and HTTP/2, and its cache of certificates. */
export interface TlsListener {
  server: Http2SecureServer;
  contexts: SecureContexts;
  hellos: VisitorHellos;
}

export function createTlsListener(
  { certificates, challenges, ticketKeys, onFailure }: EdgeTls,
  { limits, http1, serviceName }: { limits: EdgeLimits; http1: ServerOptions; serviceName: string },
): TlsListener {
  const contexts = createSecureContexts(certificates, limits);
  const options: SecureServerOptions = {
    ...TLS_SETTINGS,
    ...createHandshake({
      contexts,
      challenges: challenges ?? null,
      limits,
      onFailure: onFailure ?? (() => undefined),
    }),
    allowHTTP1: true,
    handshakeTimeout: limits.handshake_timeout_ms,
    sessionTimeout: limits.session_ms / 1000,
    ...(ticketKeys ? { ticketKeys } : {}),
    settings: {
      maxConcurrentStreams: limits.streams_max,
      // Allows more than the limit, because HTTP/2 counts 32 extra bytes for each field, and browsers send each cookie as a field of its
      // own. `request-head.ts` applies the real limit.
      maxHeaderListSize: 4 * limits.header_bytes_max,
      initialWindowSize: limits.stream_window_bytes,
      enableConnectProtocol: false,
    },
    maxHeaderListPairs: (4 * limits.header_bytes_max) / FIELD_BYTES_MIN,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    streamResetBurst: limits.stream_resets_burst,
    streamResetRate: limits.stream_resets_per_s,
    // Lets the edge forward a response in which the origin repeats a header that should appear only once.
    strictSingleValueFields: false,
    http1Options: http1,
  };
  const server = createSecureServer(options);
  // Prevents Node from registering a `request` listener for HTTP/2 too, which would wrap each stream in slow compatibility objects.
  server.removeAllListeners('newListener');
  const [speakHttp] = server.rawListeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    // Without this check, Node would start an HTTP/2 session on the connection of a challenge.
    if (socket.alpnProtocol === ACME_TLS) endChallenge(socket);
    else speakHttp?.call(server, socket);
  });
  const hellos = readHellos(server, limits.handshake_timeout_ms, serviceName);
  return { server, contexts, hellos };
}

/** Size of the smallest field in a header list (RFC 9113 section 10.5.1). */
const FIELD_BYTES_MIN = 32;

/** Ends the connection of a TLS-ALPN-01 challenge, which consists of the handshake alone (RFC 8737 section 3). */
function endChallenge(socket: TLSSocket): void {
  socket.destroySoon();
}
