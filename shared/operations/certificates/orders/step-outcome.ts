import type { AcmeProblem } from '../../../core/certificates/acme-problem.ts';
import type { ObstacleSummary } from '../../../core/certificates/ca.ts';
import type { CertificateOrder, OrderProblem } from '../../../core/certificates/certificate-order.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import type { Instant } from '../../../core/instant.ts';
import type { CaAccount, CertificateAuthority } from '../../../ports/certificates.ts';
import type { Dns } from '../../../ports/dns.ts';
import type { DomainJob } from '../../../store/jobs/jobs.ts';
import type { Context, Issuance, TxContext } from '../../context.ts';
import type { Stay } from '../../under-lease.ts';

/** The state of a worker while it processes a domain's order under the lease of its job. */
export interface OrderWork {
  context: Context;
  issuance: Issuance;
  dns: Dns;
  job: DomainJob;
  stay: Stay;
  /** The domain as it was when the worker began. */
  domain: Domain;
  /** Our accounts at authorities that the worker has read, by the name of the authority. A refusal by an authority clears the map. */
  accounts: Map<string, CaAccount>;
}

/** The state of a worker once an authority was chosen for the order. */
export interface PlacedWork extends OrderWork {
  authority: CertificateAuthority;
  account: CaAccount;
}

/** The outcome of a step. The step itself saves nothing: `concludeStep` saves the order and decides how to continue. */
export type StepOutcome =
  /**
   * The order made progress. The next step follows at once, or at `dueAt`. `unless` and `within` run in the transaction that saves the
   * order. If `unless` returns a time, nothing is saved, and the step is repeated at that time. If `isRepeatable` is set, repeating the
   * step does no harm, so the order is saved only if its last progress is more than a minute old.
   */
  | {
      kind: 'advance';
      order: CertificateOrder;
      dueAt?: Instant;
      isRepeatable?: boolean;
      unless?: (tx: TxContext) => Promise<Instant | null>;
      within?: (tx: TxContext) => Promise<void>;
    }
  /**
   * The order waits for the authority, our edge or a DNS check. If `order` is given, it is saved. `problem` tells the customer why the
   * certificate takes long.
   */
  | { kind: 'wait'; dueAt: Instant; order?: CertificateOrder; problem?: OrderProblem }
  /** A request in the middle of the order failed. If a repeat may help, the request is retried for a minute. */
  | { kind: 'retry'; order: CertificateOrder; problem: AcmeProblem }
  /** The authority refused a request. */
  | { kind: 'refused'; order: CertificateOrder; problem: AcmeProblem }
  /** The order failed at its authority. `about` lists the names at fault. The list is empty if they are not known. */
  | { kind: 'failed'; order: CertificateOrder; problem: OrderProblem; about: readonly string[] }
  /** The authority has lost the order, or has no capacity for it. Another authority may issue the certificate, and no name is at fault. */
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

/** The outcome of a worker that no longer holds the lease. Such a worker saves nothing. */
export const LEASE_LOST: StepOutcome = { kind: 'done' };
