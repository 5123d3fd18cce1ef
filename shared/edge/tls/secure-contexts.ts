import type { SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { CertificateSource, ServedCertificate } from '../../ports/certificates.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { createLookups } from '../routing/lookups.ts';
import { closeContext, contextOf } from './tls-settings.ts';

export type SecureContexts = ReturnType<typeof createSecureContexts>;

/** Creates a cache of TLS contexts by hostname. Drops the least recently used context when the cache is full. */
export function createSecureContexts(source: CertificateSource, limits: ContextLimits) {
  const entries = new LRUCache<string, Entry>({
    max: limits.certificates_hot_max,
    dispose: ({ context }) => closeContext(context),
  });
  const lookups = createLookups({
    find: (hostname) => source.findCertificate(hostname),
    absentMs: limits.certificate_absent_ms,
    runningMax: limits.certificate_lookups_max,
    waitMs: limits.certificate_wait_ms,
  });

  /** Returns the cached context of a hostname, or null if a lookup is needed. @param hostname lowercase. */
  function ready(hostname: string): SecureContext | null {
    const entry = entries.get(hostname);
    return entry && !entry.stale ? entry.context : null;
  }

  /**
   * Marks an entry as stale, so that the next handshake looks the certificate up. If that lookup fails, the stale context is still used. If
   * the hostname no longer has a domain, deletes the entry and its private key.
   */
  function markChanged(hostname: string): void {
    const entry = entries.peek(hostname);
    if (!entry) return;
    if (source.isGone?.(hostname)) entries.delete(hostname);
    else entry.stale = true;
  }

  /** Caches a certificate after its lookup. If several handshakes waited for the same lookup, only the first call creates a context. */
  function cache(hostname: string, found: ServedCertificate | null): SecureContext | null {
    if (found === null) {
      entries.delete(hostname);
      return null;
    }
    const known = entries.peek(hostname);
    if (known?.serial === found.serial) {
      known.stale = false;
      return known.context;
    }
    const context = contextOf(found);
    entries.set(hostname, { context, serial: found.serial, stale: false });
    return context;
  }

  return {
    ready,

    /**
     * Returns the context of a hostname, looking the certificate up if necessary. If the lookup fails, returns a stale context.
     * @param hostname lowercase.
     * @returns null if there is no certificate.
     * @throws if the lookup fails and no certificate is cached.
     */
    async find(hostname: string): Promise<SecureContext | null> {
      const known = ready(hostname);
      if (known) return known;
      let found: ServedCertificate | null;
      try {
        found = await lookups.find(hostname);
      } catch (error) {
        const entry = entries.peek(hostname);
        if (entry) return entry.context;
        throw error;
      }
      return cache(hostname, found);
    },

    /** Marks the certificate of a hostname as possibly replaced or deleted, so that the next handshake looks it up again. */
    changed(hostname: string): void {
      lookups.forget(hostname);
      markChanged(hostname);
    },

    allChanged(): void {
      lookups.forgetAll();
      for (const hostname of [...entries.keys()]) markChanged(hostname);
    },

    close(): void {
      entries.clear();
    },
  };
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
