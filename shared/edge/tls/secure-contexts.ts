import type { SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { CertificateSource, ServedCertificate } from '../../ports/certificates.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { Lookups } from '../routing/lookups.ts';
import { closeContext, contextOf } from './tls-settings.ts';

/** Caches TLS contexts by hostname, ready for handshakes. Drops the least recently used one when the cache is full. */
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
      absentMs: limits.certificate_absent_ms,
      runningMax: limits.certificate_lookups_max,
      waitMs: limits.certificate_wait_ms,
    });
  }

  /** Returns the cached context of a hostname, or null if a lookup is needed. @param hostname lowercase. */
  ready(hostname: string): SecureContext | null {
    const entry = this.#entries.get(hostname);
    return entry && !entry.stale ? entry.context : null;
  }

  /**
   * Returns the context of a hostname, looking it up if necessary. If the lookup fails, a stale context is still served.
   * @param hostname lowercase.
   * @returns null if there is no certificate.
   * @throws if the lookup fails and no certificate is cached.
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
    return this.#cache(hostname, found);
  }

  /** Marks the certificate of a hostname as possibly replaced or deleted. The next handshake looks it up again. */
  changed(hostname: string): void {
    this.#lookups.forget(hostname);
    this.#markChanged(hostname);
  }

  allChanged(): void {
    this.#lookups.forgetAll();
    for (const hostname of [...this.#entries.keys()]) this.#markChanged(hostname);
  }

  close(): void {
    this.#entries.clear();
  }

  /**
   * Marks an entry as stale, so that it still serves if the lookup fails. If no domain has the hostname any more, deletes the entry with
   * its key.
   */
  #markChanged(hostname: string): void {
    const entry = this.#entries.peek(hostname);
    if (!entry) return;
    if (this.#source.isGone?.(hostname)) this.#entries.delete(hostname);
    else entry.stale = true;
  }

  /**
   * Caches a looked-up certificate. Handshakes that waited for the same lookup come here one after the other, and the first creates the
   * context.
   */
  #cache(hostname: string, found: ServedCertificate | null): SecureContext | null {
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
  'certificates_hot_max' | 'certificate_absent_ms' | 'certificate_lookups_max' | 'certificate_wait_ms'
>;
