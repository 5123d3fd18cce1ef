import { describe } from 'vitest';
import { accountTests } from './conformance/accounts.ts';
import { apiKeyTests } from './conformance/api-keys.ts';
import { appTests } from './conformance/apps.ts';
import { auditLogTests } from './conformance/audit-log.ts';
import { backlogTests } from './conformance/backlog.ts';
import { billingTests } from './conformance/billing.ts';
import { byteOrderTests } from './conformance/byte-order.ts';
import { caLimitTests } from './conformance/ca-limits.ts';
import { certificateHistoryTests } from './conformance/certificate-history.ts';
import { certificateTests } from './conformance/certificates.ts';
import { deliveryTests } from './conformance/deliveries.ts';
import { domainListTests } from './conformance/domain-lists.ts';
import { domainTests } from './conformance/domains.ts';
import { edgeValueTests } from './conformance/edge-values.ts';
import { eventTests } from './conformance/events.ts';
import { filteredListTests } from './conformance/filtered-lists.ts';
import { holdTests } from './conformance/holds.ts';
import { hostnameTests } from './conformance/hostnames.ts';
import { idempotencyTests } from './conformance/idempotency.ts';
import { jobClaimTests } from './conformance/job-claims.ts';
import { jobTests } from './conformance/jobs.ts';
import { laneFairnessTests } from './conformance/lane-fairness.ts';
import { laneTests } from './conformance/lanes.ts';
import { migrationTests } from './conformance/migrations.ts';
import { originProbeTests } from './conformance/origin-probes.ts';
import { passkeyTests, signInChallengeTests } from './conformance/passkeys.ts';
import { pruneTests } from './conformance/prune.ts';
import { rateWindowTests } from './conformance/rate-windows.ts';
import { routeTests } from './conformance/routes.ts';
import { sealedTests } from './conformance/sealed.ts';
import { statementTests } from './conformance/statements.ts';
import { trafficTests } from './conformance/traffic.ts';
import { transactionTests } from './conformance/transactions.ts';
import { migratedStore, type OpenStore } from './open-store.ts';

const GROUPS = {
  accounts: accountTests,
  apps: appTests,
  billing: billingTests,
  'API keys': apiKeyTests,
  domains: domainTests,
  hostnames: hostnameTests,
  'lists of domains': domainListTests,
  'lists by several filters': filteredListTests,
  routes: routeTests,
  'values of edges': edgeValueTests,
  holds: holdTests,
  events: eventTests,
  deliveries: deliveryTests,
  lanes: laneTests,
  'lanes of many apps': laneFairnessTests,
  jobs: jobTests,
  'claiming jobs': jobClaimTests,
  'Idempotency-Keys': idempotencyTests,
  'origin probes': originProbeTests,
  'rate windows': rateWindowTests,
  pruning: pruneTests,
  'the audit log': auditLogTests,
  passkeys: passkeyTests,
  'challenges of sign-ins': signInChallengeTests,
  statements: statementTests,
  'the backlog': backlogTests,
  'sealed texts': sealedTests,
  certificates: certificateTests,
  'history of certificates': certificateHistoryTests,
  'limits of certificate authorities': caLimitTests,
  traffic: trafficTests,
  transactions: transactionTests,
  'byte order': byteOrderTests,
};

/** Tests that every database of the store must pass. SQLite has a single writer, so the writes of the parallel tests take turns there. */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`the store on ${name}`, () => {
    describe('migrations', () => migrationTests(open));
    describe('with the schema', () => {
      const store = migratedStore(open);
      for (const [group, tests] of Object.entries(GROUPS)) describe(group, () => tests(store));
    });
  });
}
