import type { ServerOptions } from 'node:http';
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { CertificateSource } from '../../ports/certificate-source.ts';
import type { ChallengeSource } from '../../ports/challenge-source.ts';
import { ACME_TLS, createHandshake, type HandshakeFailure } from '../tls/handshake.ts';
import { SecureContexts } from '../tls/secure-contexts.ts';
import { TLS_SETTINGS } from '../tls/tls-settings.ts';
import { readHellos, type VisitorHellos } from '../tls/visitor-hellos.ts';
import type { EdgeLimits } from './edge-limits.ts';

export interface EdgeTls {
  certificates: CertificateSource;
  /** Answers TLS-ALPN-01 (RFC 8737). */
  challenges?: ChallengeSource;
  /** 48 random bytes, the same on every node: a visitor resumes its session on any of them. Without them they are this process's own. */
  ticket_keys?: Buffer;
  on_failure?: (failure: HandshakeFailure) => void;
}

/** A server of HTTP/1.1 and HTTP/2 over TLS, and the certificates that it has ready. */
export interface TlsListener {
  server: Http2SecureServer;
  contexts: SecureContexts;
  hellos: VisitorHellos;
}

export function createTlsListener(
  { certificates, challenges, ticket_keys, on_failure }: EdgeTls,
  { limits, http1, service_name }: { limits: EdgeLimits; http1: ServerOptions; service_name: string },
): TlsListener {
  const contexts = new SecureContexts(certificates, limits);
  const options: SecureServerOptions = {
    ...TLS_SETTINGS,
    ...createHandshake({
      contexts,
      challenges: challenges ?? null,
      limits,
      on_failure: on_failure ?? (() => undefined),
    }),
    allowHTTP1: true,
    handshakeTimeout: limits.handshake_timeout_ms,
    sessionTimeout: limits.session_ms / 1000,
    ...(ticket_keys ? { ticketKeys: ticket_keys } : {}),
    settings: {
      maxConcurrentStreams: limits.streams_max,
      maxHeaderListSize: limits.header_bytes_max,
      initialWindowSize: limits.stream_window_bytes,
      enableConnectProtocol: false,
    },
    maxHeaderListPairs: limits.headers_max,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    streamResetBurst: limits.stream_resets_burst,
    streamResetRate: limits.stream_resets_per_s,
    // An origin may repeat what should stand once; that is between it and its visitors.
    strictSingleValueFields: false,
    http1Options: http1,
  };
  const server = createSecureServer(options);
  // Node would take a listener of requests for one of HTTP/2 too, and make slower ones of its streams.
  server.removeAllListeners('newListener');
  const [speakHttp] = server.rawListeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    // Node would greet it as a connection of HTTP/2.
    if (socket.alpnProtocol === ACME_TLS) endChallenge(socket);
    else speakHttp?.call(server, socket);
  });
  const hellos = readHellos(server, limits.handshake_timeout_ms, service_name);
  return { server, contexts, hellos };
}

/** RFC 8737 section 3: the handshake was all there is to it. */
function endChallenge(socket: TLSSocket): void {
  socket.destroySoon();
}
