import type { SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { CertificateSource, ServedCertificate } from '../../ports/certificate-source.ts';
import type { EdgeLimits } from '../listeners/edge-limits.ts';
import { Lookups } from '../routing/lookups.ts';
import { closeContext, contextOf } from './tls-settings.ts';

/** The certificates in use, ready for handshakes: the least recently used is let go. */
export class SecureContexts {
  readonly #entries: LRUCache<string, Entry>;
  readonly #lookups: Lookups<ServedCertificate>;
  readonly #source: CertificateSource;

  constructor(source: CertificateSource, limits: ContextLimits) {
    this.#source = source;
    this.#entries = new LRUCache({
      max: limits.certificates_hot_max,
      dispose: ({ context }) => closeContext(context),
    });
    this.#lookups = new Lookups({
      find: (hostname) => source.findCertificate(hostname),
      absent_ms: limits.certificate_absent_ms,
      running_max: limits.certificate_lookups_max,
    });
  }

  /** The context of a certificate that need not be looked up, else null. @param hostname lowercase. */
  ready(hostname: string): SecureContext | null {
    const entry = this.#entries.get(hostname);
    return entry && !entry.stale ? entry.context : null;
  }

  /**
   * @param hostname lowercase.
   * @returns null where there is no certificate.
   * @throws where that cannot be known, and no certificate was known before.
   */
  async find(hostname: string): Promise<SecureContext | null> {
    const ready = this.ready(hostname);
    if (ready) return ready;
    let found: ServedCertificate | null;
    try {
      found = await this.#lookups.find(hostname);
    } catch (error) {
      const entry = this.#entries.peek(hostname);
      if (entry) return entry.context;
      throw error;
    }
    return this.#keep(hostname, found);
  }

  /** The certificate may be another one now, or gone: it is looked up again at the next handshake. */
  changed(hostname: string): void {
    this.#lookups.forget(hostname);
    this.#turn(hostname);
  }

  allChanged(): void {
    this.#lookups.forgetAll();
    for (const hostname of [...this.#entries.keys()]) this.#turn(hostname);
  }

  close(): void {
    this.#entries.clear();
  }

  /** What may only be another one serves while that cannot be known; the key of a name that nobody has is not kept. */
  #turn(hostname: string): void {
    const entry = this.#entries.peek(hostname);
    if (!entry) return;
    if (this.#source.isGone?.(hostname)) this.#entries.delete(hostname);
    else entry.stale = true;
  }

  /** Those who waited for the same look-up come here one after the other: the first makes the context. */
  #keep(hostname: string, found: ServedCertificate | null): SecureContext | null {
    if (found === null) {
      this.#entries.delete(hostname);
      return null;
    }
    const known = this.#entries.peek(hostname);
    if (known?.serial === found.serial) {
      known.stale = false;
      return known.context;
    }
    const context = contextOf(found);
    this.#entries.set(hostname, { context, serial: found.serial, stale: false });
    return context;
  }
}

interface Entry {
  context: SecureContext;
  serial: string;
  stale: boolean;
}

type ContextLimits = Pick<
  EdgeLimits,
  'certificates_hot_max' | 'certificate_absent_ms' | 'certificate_lookups_max'
>;
