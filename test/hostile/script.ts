import type { ConnectionOptions } from 'node:tls';

/** The ports of a process that are open to anyone. */
export type PortName = 'api' | 'edge' | 'edgeHttp' | 'admin' | 'sandbox';

/** One hostile connection, byte for byte: what it offers, what it writes, and how it disconnects. */
export interface Script {
  /** The titles of its pieces, for a report. */
  title: string;
  port: PortName;
  /** The TLS handshake to start with; null for a connection without TLS. */
  tls: TlsOffer | null;
  writes: readonly Write[];
  ending: Ending;
  /** Reads nothing, so that the server's data piles up. */
  deaf: boolean;
}

export interface Write {
  bytes: Buffer;
  /** Milliseconds until the next write; null writes within the same tick. */
  pauseMs: number | null;
}

export interface TlsOffer {
  options: Pick<ConnectionOptions, 'servername' | 'ALPNProtocols' | 'minVersion' | 'maxVersion'>;
  /** Waits for the handshake to end before the first write. */
  patient: boolean;
  /** Asks for a renegotiation, which TLS 1.2 has. */
  renegotiates: boolean;
  /** Damage to the encrypted bytes on their way. */
  tamper: Tamper | null;
}

export interface Tamper {
  /** Counted over all bytes that the visitor sends. */
  atByte: number;
  how: 'flip' | 'inject' | 'silence' | 'reset';
}

/**
 * `reset` sends RST at once. `resetOnResponse` sends RST at the first byte of a response. `end` sends FIN and then reads the rest. `linger`
 * waits for the server. `hold` keeps the connection until the server ends it.
 */
export type Ending = 'reset' | 'resetOnResponse' | 'end' | 'linger' | 'hold';
