import type { ConnectionOptions } from 'node:tls';

/** The ports of a process that anyone can reach. */
export type PortName = 'api' | 'edge' | 'edgeHttp' | 'admin' | 'sandbox';

/** One hostile connection, byte for byte: the TLS handshake that it offers, the bytes that it writes, and how it disconnects. */
export interface Script {
  /** The titles of the script's pieces, for a report. */
  title: string;
  port: PortName;
  /** The TLS handshake to start with; null for a connection without TLS. */
  tls: TlsOffer | null;
  writes: readonly Write[];
  ending: Ending;
  /** If true, the visitor reads nothing, so that the server's data piles up. */
  deaf: boolean;
}

export interface Write {
  bytes: Buffer;
  /** Milliseconds until the next write. Null means within the same tick. */
  pauseMs: number | null;
}

export interface TlsOffer {
  options: Pick<ConnectionOptions, 'servername' | 'ALPNProtocols' | 'minVersion' | 'maxVersion'>;
  /** If true, the visitor waits for the end of the TLS handshake before its first write. */
  patient: boolean;
  /** If true, the visitor requests a renegotiation, which exists only up to TLS 1.2. */
  renegotiates: boolean;
  /** Damage to the encrypted bytes in transit; null for none. */
  tamper: Tamper | null;
}

export interface Tamper {
  /** The position, counted over all bytes that the visitor sends. */
  atByte: number;
  how: 'flip' | 'inject' | 'silence' | 'reset';
}

/**
 * `reset` sends RST immediately. `resetOnResponse` sends RST at the first byte of a response. `end` sends FIN and then reads the rest.
 * `linger` waits for the server. `hold` leaves the connection open until the server ends it.
 */
export type Ending = 'reset' | 'resetOnResponse' | 'end' | 'linger' | 'hold';
