/** The certificates that the edge serves to visitors, by hostname. */
export interface CertificateSource {
  /**
   * Finds the certificate for a hostname. Called during a handshake, once for each name that is not cached. Any client can trigger it, so
   * an unknown name must be cheap. It never waits for a certificate authority.
   * @param hostname the server name that the visitor sent (SNI), in lowercase.
   * @returns null if there is none, which ends the handshake.
   * @throws if the source is unavailable. The edge then continues to serve the certificate it has cached.
   */
  findCertificate(hostname: string): Promise<ServedCertificate | null>;
  /** Returns whether the certificate is known to be gone, without a query. The edge then drops its key at once. */
  isGone?(hostname: string): boolean;
}

export interface ServedCertificate {
  /** The certificate chain in PEM, leaf first. */
  chain: string;
  /** The private key in PEM. Only the TLS library may receive it. */
  private_key: string;
  /** Identifies the certificate: a different serial means a different certificate. */
  serial: string;
}
