/** The certificates that visitors are shown, by the name that they ask for. */
export interface CertificateSource {
  /**
   * Asked during a handshake, once for each name that is not cached, by whoever connects: a name that nobody owns must cost little.
   * It never waits for a certificate authority.
   * @param hostname lowercase, as the visitor named it (SNI).
   * @returns null where there is none, which ends the handshake.
   * @throws where it cannot be known now; a certificate that was known before goes on being served.
   */
  findCertificate(hostname: string): Promise<ServedCertificate | null>;
  /** Whether it is known, without asking, that there is none any more: then its key is let go of at once. */
  isGone?(hostname: string): boolean;
}

export interface ServedCertificate {
  /** The leaf first, then what leads to the root, in PEM. */
  chain: string;
  /** In PEM. It goes to the TLS library, and nowhere else. */
  private_key: string;
  /** Another serial is another certificate. */
  serial: string;
}
