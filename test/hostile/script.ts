import type { ConnectionOptions } from 'node:tls';

/** The ports of a process that a stranger can reach. */
export type PortName = 'api' | 'edge' | 'edgeHttp' | 'admin' | 'sandbox';

/** One hostile connection, byte for byte: what it offers, writes and how it leaves. */
export interface Script {
  /** What it is made of, for a report. */
  title: string;
  port: PortName;
  /** The handshake that comes first; null speaks without TLS. */
  tls: TlsOffer | null;
  writes: readonly Write[];
  ending: Ending;
  /** Reads nothing, so that what it is sent piles up. */
  deaf: boolean;
}

export interface Write {
  bytes: Buffer;
  /** Milliseconds to the next write; null goes on within the same tick. */
  pauseMs: number | null;
}

export interface TlsOffer {
  options: Pick<ConnectionOptions, 'servername' | 'ALPNProtocols' | 'minVersion' | 'maxVersion'>;
  /** Waits for the end of the handshake before the first write. */
  patient: boolean;
  /** Asks for another handshake over the same connection, which TLS 1.2 has. */
  renegotiates: boolean;
  /** What happens to the encrypted bytes on their way. */
  tamper: Tamper | null;
}

export interface Tamper {
  /** Counted over all that the visitor sends. */
  atByte: number;
  how: 'flip' | 'inject' | 'silence' | 'reset';
}

/**
 * `reset`: RST at once. `resetOnResponse`: RST with the first byte that comes back. `end`: FIN, then the rest is read. `linger`: waits for
 * the server. `hold`: keeps the connection until the server ends it.
 */
export type Ending = 'reset' | 'resetOnResponse' | 'end' | 'linger' | 'hold';
