import type { ChallengeMethod } from '../core/certificates/acme-challenge.ts';
import type { DomainId } from '../core/ids.ts';
import type { PublicPath } from '../core/public-path/public-path.ts';
import type { OutboundError } from '../core/webhooks/delivery.ts';

/** The outbound client for webhooks and origin probes. It checks every address before it connects (`docs/webhooks.md`). */
export interface Outbound {
  /**
   * Sends a request. Returns any failure of the other side as a result and never throws it. Follows no redirects and decompresses nothing.
   * A request may arrive twice: if the server closed a kept connection, the request is sent once more on a new connection.
   * @throws if the headers cannot be sent, or after `close`.
   */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /**
   * Resolves a host and returns whether connections to its addresses are allowed. Makes no connection.
   * @param host a name or an address in any spelling that a URL allows, without a port.
   */
  check(host: string): Promise<'allowed' | 'not_allowed' | 'dns_failed'>;
  /** Ends every connection at once. Requests in flight result in `connection_failed`. */
  close(): Promise<void>;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  /** An HTTPS URL, or plain HTTP where the client allows it. A URL with a user or password results in `url_not_allowed`. */
  url: string;
  /** Headers, which are sent unchanged. The client sets `Host`, `Content-Length` and `Connection` itself. */
  headers: Record<string, string>;
  body?: string;
  /** One deadline for the whole request: from the lookup to the response head or, with `keepBody`, to the end of the body. */
  timeoutMs: number;
  /**
   * Maximum number of body bytes to read, up to 512 KB. The rest is cut off without an error. Without `keepBody`, reading takes at most 1
   * s.
   */
  maxResponseBytes: number;
  /** Whether to return the body. Most callers need only the status. */
  keepBody?: boolean;
  /**
   * Number of bytes at the beginning of the body to return without `keepBody`. If the body breaks off after these bytes, that is not a
   * failure.
   */
  sampleBytes?: number;
}

export type OutboundResult =
  | {
      ok: true;
      status_code: number;
      headers: Record<string, string | string[]>;
      /** The body as UTF-8, only with `keepBody`. */
      body?: string;
      /** The beginning of the body, only with `sampleBytes`. */
      sample?: Uint8Array;
      response_ms: number;
    }
  | { ok: false; problem: OutboundError; response_ms: number };

/** Finds out whether visitors' requests to a hostname reach our edge, by sending requests to the hostname's public addresses. */
export interface PathProbe {
  /**
   * @param addresses the addresses that the hostname resolves to. An address that the service must not connect to does not lead to our
   * edge.
   * @param serial the serial number of the certificate that our edge serves for the hostname, or null. If there is such a certificate,
   * HTTPS has to work.
   */
  follow(hostname: string, addresses: readonly string[], serial: string | null): Promise<PublicPath>;
}

/**
 * Checks our own edge from outside, at each of its addresses, and our own name servers in the same way. A check passes if at least one
 * address serves the expected content and no address serves anything else. An address that does not respond at all is an outage, and does
 * not delay a certificate.
 */
export interface EdgeProbe {
  /**
   * Returns whether our edge serves the response to a challenge, so that the certificate authority may validate it. If no address responds
   * at all, returns the addresses, because a node's network may not lead back to its own public address.
   */
  answersChallenge(challenge: {
    hostname: string;
    domain_id: DomainId;
    method: ChallengeMethod;
    token: string;
    key_authorization: string;
    /** The host that responds to HTTP-01, if the hostname's old host redirects to it. */
    redirected_to?: string;
  }): Promise<EdgeView>;
  /**
   * Returns whether our edge serves the certificate with this serial number (lowercase hex) in a TLS handshake. If no address responds at
   * all, returns the addresses.
   */
  showsCertificate(hostname: string, serial: string): Promise<EdgeView>;
}

export type EdgeView = boolean | { unreachable: readonly string[] };
