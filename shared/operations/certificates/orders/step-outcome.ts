import type { AcmeProblem } from '../../../core/certificates/acme-problem.ts';
import type { ObstacleSummary } from '../../../core/certificates/ca.ts';
import type { CertificateOrder, OrderProblem } from '../../../core/certificates/certificate-order.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import type { Instant } from '../../../core/instant.ts';
import type { CaAccount, CertificateAuthority } from '../../../ports/certificate-authority.ts';
import type { Dns } from '../../../ports/dns.ts';
import type { DomainJob } from '../../../store/jobs/jobs.ts';
import type { Context, Issuance } from '../../context.ts';

/** A domain's order while one worker holds its job's lease. */
export interface OrderWork {
  context: Context;
  issuance: Issuance;
  dns: Dns;
  job: DomainJob;
  /** The domain as it was when the work began. */
  domain: Domain;
}

/** An order's work once an authority is chosen. */
export interface PlacedWork extends OrderWork {
  authority: CertificateAuthority;
  account: CaAccount;
}

/** The outcome of a step, as data. A step reports it, and `concludeStep` alone saves the order and decides how to go on. */
export type StepOutcome =
  /** The order came further. The next step follows at once, or at `dueAt`. `within` runs in the transaction that saves the order. */
  | {
      kind: 'advance';
      order: CertificateOrder;
      dueAt?: Instant;
      within?: (tx: Context) => Promise<void>;
    }
  /** The order waits for the authority, our edge or a check. It is saved only if it is given. */
  | { kind: 'wait'; dueAt: Instant; order?: CertificateOrder }
  /** A request in the middle of the order failed. It is repeated for a minute if that may help. */
  | { kind: 'retry'; order: CertificateOrder; problem: AcmeProblem }
  /** The authority refused a request. */
  | { kind: 'refused'; order: CertificateOrder; problem: AcmeProblem }
  /** The order failed at its authority. `about` has the names at fault, and is empty if they are unknown. */
  | { kind: 'failed'; order: CertificateOrder; problem: OrderProblem; about: readonly string[] }
  /** The authority has lost the order, or has no room for it. Another one may issue, and no name is at fault. */
  | { kind: 'lost'; order: CertificateOrder; problem: OrderProblem }
  /** The attempt has ended without a certificate. */
  | {
      kind: 'unobtained';
      order: CertificateOrder;
      problem: OrderProblem;
      obstacles: ObstacleSummary;
    }
  /** A transition has scheduled the next job, or there is nothing to do. */
  | { kind: 'done' };

/** The outcome of a worker that no longer holds the lease. It saves nothing. */
export const LEASE_LOST: StepOutcome = { kind: 'done' };
