import { type Certificate, testCertificate } from '../../core/certificates/certificate.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { timerOutcome } from '../../core/domains/schedule.ts';
import { saveDomain } from '../../store/domains/domains.ts';
import { rememberServed } from '../certificates/remember-served.ts';
import type { Context } from '../context.ts';
import { routeEarly } from './claim-hostname.ts';

/** Returns a new certificate for a domain on the test timer. Its hostname may force a lifetime (`docs/test-mode.md`). */
export function timerCertificate({ settings, clock }: Context, domain: Domain): Certificate {
  return testCertificate(settings.names.test_ca_issuer, clock.now(), timerOutcome(domain).certificateMs);
}

/**
 * Gives a waiting domain on the test timer its certificate, as if the challenges had been delegated (`docs/moving-in.md`). Its status and
 * its next step stay the same.
 */
export async function prepareOnTimer(tx: Context, domain: Domain): Promise<Domain> {
  const prepared = { ...domain, certificate: timerCertificate(tx, domain), updated_at: tx.clock.now() };
  await saveDomain(tx.store, prepared);
  await rememberServed(tx, prepared);
  await routeEarly(tx, domain);
  tx.notices.publish({ kind: 'route', hostname: domain.hostname });
  return prepared;
}
