import type { OutboundError } from '../core/webhooks/delivery.ts';

/** The road out: webhooks and origin probes. Every address is checked before it is connected to (`docs/webhooks.md`). */
export interface Outbound {
  /**
   * Never throws for what the other side does: every outcome is a value. No redirect is followed, nothing decompressed.
   * What is sent must bear arriving twice: a kept connection that turns out to be closed is replaced by a new one, once.
   * @throws when the headers are not fit to be sent, or after `close`.
   */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /**
   * Resolves a host and says whether its addresses may be connected to, without connecting.
   * @param host a name or an address in any spelling a URL allows, without a port.
   */
  check(host: string): Promise<'allowed' | 'not_allowed' | 'dns_failed'>;
  /** Ends every connection at once; what is in flight is `connection_failed`. */
  close(): Promise<void>;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  /** HTTPS; plain HTTP to loopback only, where that is open. With a user or password in it, it is `url_not_allowed`. */
  url: string;
  /** Sent as they are. `Host`, `Content-Length` and `Connection` are the client's own. */
  headers: Record<string, string>;
  body?: string;
  /** One absolute deadline from the lookup to the response head; with `keep_body`, to the end of the body. */
  timeout_ms: number;
  /** Largest number of body bytes to read, up to 512 KB; the rest is cut off without an error. Without `keep_body`, reading takes at most 1 s. */
  answer_bytes_max: number;
  /** Whether what is read of the body is kept: most callers want the status alone. */
  keep_body?: boolean;
}

export type OutboundResult =
  | {
      ok: true;
      status_code: number;
      headers: Record<string, string | string[]>;
      /** As UTF-8, with `keep_body` alone. */
      body?: string;
      response_ms: number;
    }
  | { ok: false; error: OutboundError; response_ms: number };
