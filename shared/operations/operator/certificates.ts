import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import type { RevocationReason } from '../../core/certificates/certificate.ts';
import {
  type CertificateOrder,
  nextOrderStep,
  type OrderStep,
  restartedOrder,
} from '../../core/certificates/certificate-order.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { JobKind } from '../../core/domains/job.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import { isAwaitingDns, type Status } from '../../core/domains/status.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { findCertificateOrder, saveCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import {
  findNewestCertificate,
  type StoredCertificate,
  selectCertificates,
  setRenewal,
} from '../../store/certificates/certificates.ts';
import { findDomainById, lockDomainById, saveDomain } from '../../store/domains/domains.ts';
import { findDomainsAt } from '../../store/domains/domains-of-hostname.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import { findJobDue, scheduleJob } from '../../store/jobs/jobs.ts';
import type { Store } from '../../store/store.ts';
import { revokeAtAuthority } from '../certificates/revoke-deleted.ts';
import type { Context, TxContext } from '../context.ts';
import { withAudit } from './with-audit.ts';

/** A certificate without its keys. */
export type ShownCertificate = Omit<StoredCertificate, 'private_key' | 'data_key'>;

/**
 * Returns the served certificates, sorted by their expiry.
 * @param withinDays lists only certificates that expire within this number of days.
 */
export async function listStoredCertificates(
  { store, clock }: Context,
  { limit, withinDays }: { limit: number; withinDays?: number },
): Promise<ShownCertificate[]> {
  const before = withinDays === undefined ? {} : { before: clock.now() + withinDays * DAY_MS };
  return (await selectCertificates(store, { limit, ...before })).map(withoutKeys);
}

/** The state of a domain's certificate and of its order. */
export interface CertificateState {
  domain: Domain;
  /** Whether this domain has the hostname's route. */
  routed: boolean;
  certificate: ShownCertificate | null;
  order:
    | (Pick<CertificateOrder, 'purpose' | 'ca' | 'names' | 'failures' | 'order_url' | 'problem'> & {
        next_step: OrderStep;
      })
    | null;
  /** When the order continues, or when the renewal of the certificate is checked next. Null if nothing is scheduled. */
  next_at: Instant | null;
}

/**
 * Returns the certificate state of every live domain with a hostname, in all apps. The domain that has the hostname's route comes first.
 * @param name a hostname, or the id of one domain.
 * @throws ServiceError `not_found`.
 */
export async function showCertificates(context: Context, name: string): Promise<CertificateState[]> {
  const { store } = context;
  const domains = (await domainsOf(store, name)).filter(({ status }) => status !== 'deleted');
  if (domains.length === 0) {
    throw new ServiceError('not_found', {
      message: `There is no live domain ${name}.`,
      fix: 'Use the hostname of a live domain, or the id of a domain.',
    });
  }
  const states = await Promise.all(domains.map((domain) => stateOf(store, domain)));
  return states.toSorted((one, other) => Number(other.routed) - Number(one.routed));
}

async function domainsOf(store: Store, name: string): Promise<Domain[]> {
  if (!name.startsWith('dom_')) return findDomainsAt(store, name.toLowerCase(), false);
  const domain = await findDomainById(store, name as DomainId);
  return domain === null ? [] : [domain];
}

async function stateOf(store: Store, domain: Domain): Promise<CertificateState> {
  const certificate = await findNewestCertificate(store, domain.id);
  const order = await findCertificateOrder(store, domain.id);
  return {
    domain,
    routed: (await findRouteOwner(store, domain.hostname)) === domain.id,
    certificate: certificate && withoutKeys(certificate),
    order: order && {
      purpose: order.purpose,
      ca: order.ca,
      names: order.names,
      failures: order.failures,
      order_url: order.order_url,
      problem: order.problem,
      next_step: nextOrderStep(order),
    },
    next_at: await findJobDue(store, domain.id, Object.values(JOBS)),
  };
}

/** The kind of job that obtains a domain's certificate, by the domain's status. In other statuses, there is no such job. */
const JOBS: Partial<Record<Status, JobKind>> = {
  pending_dns: 'prepare',
  verifying: 'prepare',
  issuing: 'issue',
  active: 'renew',
  cert_failed: 'retry',
};

/**
 * Replaces a certificate now, even if it is still valid for a long time, for instance because its key was lost.
 * @throws ServiceError `not_found`, `validation_failed`.
 */
export async function reissueCertificate(context: Context, actor: string, name: string): Promise<Instant> {
  return withAudit(context, { actor, action: 'certificate.reissue', subject: name }, async (tx) => {
    const domain = await lockDomainById(tx.store, await findRoutedId(tx, name));
    if (domain === null) throw notFound(name);
    const isWaiting = isAwaitingDns(domain.status) && domain.certificate === null;
    if (isWaiting || !(await renewNow(tx, domain))) {
      throw new ServiceError('validation_failed', {
        message: `${domain.hostname} is a ${domain.mode} domain that is ${domain.status}: no certificate is ordered for it.`,
        fix: 'A certificate is ordered for a live domain that is issuing, active or cert_failed.',
      });
    }
    return tx.clock.now();
  });
}

/**
 * Makes the renewal of a domain's certificate due now.
 * @param domain its row must be locked by the caller.
 * @returns false if the domain has no renewal job in its status.
 */
export async function renewNow(tx: TxContext, domain: Domain): Promise<boolean> {
  const dueAt = tx.clock.now();
  const current = await findNewestCertificate(tx.store, domain.id);
  if (current !== null) await setRenewal(tx.store, { ...current, renews_at: dueAt });
  if (domain.certificate !== null)
    await saveDomain(tx.store, { ...domain, certificate: { ...domain.certificate, renews_at: dueAt } });
  const kind = JOBS[domain.status];
  if (kind === undefined || runsOnTimer(domain, tx.settings)) return false;
  // If the edge does not serve the order's certificate yet, or if the order waits for a DNS check, the order starts again.
  const order = await findCertificateOrder(tx.store, domain.id);
  if (order !== null && (order.certificate_id !== null || order.unchecked_since !== null)) {
    const anew = { ...restartedOrder(order, dueAt), unshown_since: null, unchecked_since: null };
    await saveCertificateOrder(tx.store, anew);
  }
  await scheduleJob(tx.store, { kind, subject_id: domain.id, app_id: domain.app_id, due_at: dueAt });
  tx.notices.publish({ kind: 'work' });
  return true;
}

/**
 * Returns the id of the domain that has a hostname's route. If the name is the id of a domain, returns the id unchanged.
 * @throws ServiceError `not_found`.
 */
export async function findRoutedId({ store }: Context, name: string): Promise<DomainId> {
  if (name.startsWith('dom_')) return name as DomainId;
  const id = await findRouteOwner(store, name.toLowerCase());
  if (id === null) throw notFound(name);
  return id;
}

function notFound(name: string): ServiceError {
  return new ServiceError('not_found', {
    message: `No domain is routed as ${name}.`,
    fix: 'Use a hostname whose DNS was confirmed, or the id of a domain.',
  });
}

function withoutKeys({ private_key: _, data_key: __, ...shown }: StoredCertificate): ShownCertificate {
  return shown;
}

/** The result of a revocation. */
export interface RevokedCertificate {
  hostname: string;
  serial: string;
  ca: string;
  /** Whether a new certificate was ordered. If the domain's record is broken, the order follows once the record is right. */
  reordered: boolean;
}

/**
 * Revokes the certificate that a domain serves (RFC 8555 section 7.6), and orders a new one with a new key. Can be repeated after an
 * interruption, because revoking a revoked certificate succeeds.
 * @param name a hostname, or the id of a domain.
 * @throws ServiceError `not_found` or `validation_failed`.
 */
export async function revokeCertificate(
  context: Context,
  actor: string,
  name: string,
  reason: RevocationReason,
): Promise<RevokedCertificate> {
  const id = await findRoutedId(context, name);
  const certificate = await findNewestCertificate(context.store, id);
  if (certificate === null) {
    throw new ServiceError('not_found', {
      message: `${name} has no certificate.`,
      fix: 'Use "service certificates list" to see the certificates in use.',
    });
  }
  const { serial, ca } = certificate;
  const problem = await revokeAtAuthority(context, certificate, reason);
  if (problem === 'unknown_authority') {
    throw new ServiceError('validation_failed', {
      message: `The certificate is from ${ca}, which is not among the authorities of NAMEPLATE_CAS.`,
      fix: `Add ${ca} to NAMEPLATE_CAS for this command.`,
    });
  }
  if (problem !== null) throw notRevoked(ca, problem);
  const detail = { serial, ca, reason };
  return withAudit(context, { actor, action: 'certificate.revoke', subject: name, detail }, async (tx) => {
    const domain = await lockDomainById(tx.store, id as DomainId);
    if (domain === null) return { hostname: name, serial, ca, reordered: false };
    return { hostname: domain.hostname, serial, ca, reordered: await renewNow(tx, domain) };
  });
}

function notRevoked(ca: string, { detail }: AcmeProblem): ServiceError {
  return new ServiceError('validation_failed', {
    message: `${ca} did not revoke the certificate: ${detail}`,
    fix: 'Nothing was changed. Run the command again, or revoke the certificate at the authority.',
  });
}
