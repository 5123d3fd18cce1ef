import type { IssuedCertificate } from '../../core/certificates/certificate-chain.ts';
import type { OrderPurpose } from '../../core/certificates/certificate-order.ts';
import {
  type Received,
  type RenewalWindow,
  renewalMoment,
  renewalPollMs,
} from '../../core/certificates/renewal-time.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../core/instant.ts';
import type { CertificateAuthority } from '../../ports/certificates.ts';
import type { Dns } from '../../ports/dns.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { findCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import {
  findNewestCertificate,
  type StoredCertificate,
  setRenewal,
} from '../../store/certificates/certificates.ts';
import { saveDomain } from '../../store/domains/domains.ts';
import type { DomainJob } from '../../store/jobs/jobs.ts';
import type { Context, Issuance } from '../context.ts';
import { underLease } from '../under-lease.ts';
import { wantedNames, wwwOf } from './wanted-names.ts';

/** The intervals at which to check whether a missing `www` can be added: in a certificate's first day, and later. */
const WWW_EVERY_MS = { new: HOUR_MS, later: DAY_MS } as const;

/**
 * Decides whether to replace the certificate of a live domain now: because of ARI, because of its age, or because `www` can be added.
 * @returns the purpose of the order, or when to check again.
 */
export async function renewalDue(
  context: Context,
  { issuance, dns, job, domain }: { issuance: Issuance; dns: Dns; job: DomainJob; domain: Domain },
): Promise<{ purpose: OrderPurpose } | { due_at: Instant | null }> {
  const { store, clock } = context;
  const current = await findNewestCertificate(store, domain.id);
  const underWay = await findCertificateOrder(store, domain.id);
  // The order's certificate is the newest one, but the edge does not serve it yet. Complete this order before replacing anything.
  if (underWay !== null && underWay.certificate_id !== null) return { purpose: underWay.purpose };
  if (current === null || current.renews_at <= clock.now()) return { purpose: 'renew' };
  if (underWay !== null) return { purpose: underWay.purpose };

  const authority = issuance.authorities.find(({ ca }) => ca.name === current.ca);
  const read = authority ? await readWindow(context, authority, current) : null;
  const renewsAt = read?.renews_at ?? current.renews_at;
  if (read !== null && read.renews_at !== null) {
    if (read.window.end <= current.created_at) await reportOverdue(context, current);
    const moved = await moveRenewal(context, job, { ...current, window: read.window, renews_at: renewsAt });
    if (!moved) return { due_at: null };
  }
  if (renewsAt <= clock.now()) return { purpose: 'renew' };
  const now = clock.now();
  // If the order of a new certificate left out `www`, another order would too, unless the app has changed the domain since.
  const wasTried = now - current.created_at < WWW_EVERY_MS.new && domain.updated_at <= domain.status_since;
  if (!wasTried && (await canJoin(context, dns, domain, current))) return { purpose: 'join_www' };
  const pollMs = renewalPollMs(read?.retryAt ? read.retryAt - now : null);
  return { due_at: Math.min(renewsAt, now + Math.min(pollMs, wwwEveryMs(domain, current, now))) };
}

/** Logs, at most once a week for each domain, that a certificate was already due for renewal when it was issued. */
export async function reportOverdue(
  { store, clock, log }: Context,
  { domain_id, ca }: Pick<StoredCertificate, 'domain_id' | 'ca'>,
): Promise<void> {
  if ((await countUse(store, 'overdue_alarms', domain_id, clock.now())) !== null) return;
  const message =
    'a certificate was due for renewal when it arrived; is the time of this authority, or ours, wrong?';
  log.error({ domain_id, ca }, message);
}

/** Stores a new renewal time. @returns null if another worker holds the lease. */
function moveRenewal(context: Context, job: DomainJob, moved: StoredCertificate): Promise<true | null> {
  return underLease(context, job, async (tx, domain) => {
    await setRenewal(tx.store, moved);
    if (domain.certificate !== null) {
      const certificate = { ...domain.certificate, renews_at: moved.renews_at };
      await saveDomain(tx.store, { ...domain, certificate });
    }
    return true;
  });
}

async function canJoin(
  context: Context,
  dns: Dns,
  domain: Domain,
  current: StoredCertificate,
): Promise<boolean> {
  const www = wwwOf(domain);
  if (www === null || current.names.includes(www)) return false;
  return (await wantedNames(context, dns, domain)).includes(www);
}

function wwwEveryMs(domain: Domain, current: StoredCertificate, now: Instant): number {
  const www = wwwOf(domain);
  if (www === null || current.names.includes(www)) return Number.POSITIVE_INFINITY;
  return now - current.created_at < DAY_MS ? WWW_EVERY_MS.new : WWW_EVERY_MS.later;
}

/**
 * Returns a random number from 0 up to, but not including, 1. Callers use it to spread out work that would otherwise happen at the same
 * time.
 */
export function randomShare({ random }: Pick<Context, 'random'>): number {
  return Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}

export interface ReadWindow {
  window: RenewalWindow;
  /** When to renew: a random time within the window. Null if the window has not changed. */
  renews_at: Instant | null;
  /** When to ask the authority again; null if it did not say. */
  retryAt: Instant | null;
}

/** Asks the authority when to renew a certificate (ARI, RFC 9773). @returns null if the authority gives no usable window. */
export async function readWindow(
  context: Context,
  authority: CertificateAuthority,
  known: Received & Pick<IssuedCertificate, 'ari_id'> & { window: RenewalWindow | null },
): Promise<ReadWindow | null> {
  if (known.ari_id === null) return null;
  const answer = await authority.renewalWindow(known.ari_id);
  if (!answer.ok) {
    context.log.warn(
      { ca: authority.ca.name, problem: answer.problem },
      'a renewal window could not be read',
    );
    return null;
  }
  const window = answer.value;
  // Ignore a window that is empty or starts after the certificate expires.
  if (window === null || window.end < window.start || window.start >= known.not_after) return null;
  const same = known.window?.start === window.start && known.window.end === window.end;
  const renewsAt = same ? null : renewalMoment(window, known, randomShare(context));
  return { window, renews_at: renewsAt, retryAt: answer.retryAt };
}
