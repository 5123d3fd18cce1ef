import { problemReason } from '../../core/acme-problem.ts';
import { allowedMethods, leastObstacle, type Obstacle } from '../../core/ca.ts';
import type { CertificateOrder } from '../../core/certificate-order.ts';
import type { Lookup } from '../../core/dns-survey.ts';
import type { CertificateAuthority } from '../../ports/certificate-authority.ts';
import { findNewestCertificate } from '../../store/certificates.ts';
import { acmeAccount } from './acme-account.ts';
import { attemptFailed } from './attempt-failed.ts';
import { awayUntil, limitedUntil, noteProblem, takeOrder } from './authority-limits.ts';
import { keep, type OrderWork, type StepOutcome } from './order-work.ts';
import { wantedNames } from './wanted-names.ts';

type Caa = ReadonlyMap<string, readonly Lookup[]>;
type Chosen = Pick<CertificateOrder, 'names' | 'methods' | 'replaces'>;

/**
 * Chooses the authority of the next order: the first of the operator's list that has not failed in this attempt, is there, has room, and
 * that the CAA records allow by some method (RFC 8659, 8657).
 */
export async function chooseAuthority(work: OrderWork, order: CertificateOrder): Promise<StepOutcome> {
  const { context, issuance, dns, domain } = work;
  const wanted = order.without_www ? [domain.hostname] : await wantedNames(context, dns, domain);
  const joins = order.purpose === 'join_www';
  if (joins && wanted.length < 2) return attemptFailed(work, order, order.problem ?? NOBODY);
  const caa: Caa = new Map(
    await Promise.all(wanted.map(async (name) => [name, await dns.caa(name)] as const)),
  );
  const obstacles: Obstacle[] = [];
  for (const authority of issuance.authorities) {
    if (order.tried.includes(authority.ca.name)) continue;
    let found = await tryAuthority(work, order, authority, caa);
    if ('reason' in found && caa.size > 1 && !joins) {
      // What stands in the way of `www` must not stand in the way of the apex.
      found = await tryAuthority(work, order, authority, new Map([...caa].slice(0, 1)));
    }
    if ('reason' in found) obstacles.push(found);
    else return keep(work, { ...order, ...found, ca: authority.ca.name });
  }
  const problem = order.problem ?? leastObstacle(obstacles) ?? NOBODY;
  // An authority that is away is a failure, and the wait is the ladder's; a limit is a place in a queue.
  return attemptFailed(work, order, {
    ...problem,
    until: problem.reason === 'ca_rate_limited' ? problem.until : null,
  });
}

const NOBODY: Obstacle = { reason: 'ca_unavailable', until: null, at: null, found: null };

async function tryAuthority(
  work: OrderWork,
  order: CertificateOrder,
  authority: CertificateAuthority,
  caa: Caa,
): Promise<Chosen | Obstacle> {
  const { context, domain } = work;
  const { ca } = authority;
  const names = [...caa.keys()];
  const away = await awayUntil(context, ca);
  if (away !== null) return { ...NOBODY, until: away };
  const limited = await limitedUntil(context, ca, names);
  if (limited !== null) return { ...NOBODY, reason: 'ca_rate_limited', until: limited };

  const made = await acmeAccount(context, authority);
  if ('problem' in made) {
    const { problem } = made;
    const reason =
      problemReason(problem, 'request') === 'ca_rate_limited' ? 'ca_rate_limited' : 'ca_unavailable';
    context.log.error({ ca: ca.name, problem }, 'a certificate authority gives us no account');
    return { ...NOBODY, reason, until: await noteProblem(context, ca, problem, reason, []) };
  }
  const allowed = allowedMethods(ca, made.account.account_url, caa);
  if ('refused' in allowed) {
    const { code, at, found } = allowed.verdict;
    return { reason: code, until: null, at, found };
  }
  const replaces = await replacedBy(work, order, authority);
  // An order that ARI knows as a renewal is exempt from limits.
  const no_room = replaces === null ? await takeOrder(context, ca, order.purpose) : null;
  if (no_room !== null) return { ...NOBODY, reason: 'ca_rate_limited', until: no_room };
  // What did not work by one method is tried by the other.
  const methods = order.failures % 2 === 0 ? allowed.methods : allowed.methods.toReversed();
  context.log.info({ domain_id: domain.id, ca: ca.name, names, methods }, 'a certificate is ordered');
  return { names, methods, replaces };
}

/** What ARI calls the certificate that this order replaces; null where its authority is another, or does not speak ARI. */
async function replacedBy(
  { context, domain }: OrderWork,
  { purpose }: CertificateOrder,
  { ca }: CertificateAuthority,
): Promise<string | null> {
  if (purpose === 'issue') return null;
  const current = await findNewestCertificate(context.store, domain.id);
  return current !== null && current.ca === ca.name && current.window !== null ? current.ari_id : null;
}
