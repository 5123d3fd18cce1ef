import type { PublicPath } from '../core/public-path/public-path.ts';

/** Requests a hostname at its public addresses, as visitors do, and tells whether our edge answers. */
export interface PathProbe {
  /**
   * @param addresses what the hostname resolves to. An address that the service must not connect to does not lead here.
   * @param serial the serial number of the certificate that our edge serves for the hostname, or null. HTTPS has to work if it has one.
   */
  follow(hostname: string, addresses: readonly string[], serial: string | null): Promise<PublicPath>;
}
