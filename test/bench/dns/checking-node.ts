import { setTimeout as sleep } from 'node:timers/promises';
import { composeService } from '../../../service/compose.ts';
import { cnameTarget } from '../../../shared/core/apps/app.ts';
import { viewOutcome } from '../../../shared/core/dns/dns-confirmation.ts';
import { expectationOf } from '../../../shared/core/dns/dns-expectation.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { checkDns } from '../../../shared/operations/dns/check-dns.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { verifyDomain } from '../../../shared/operations/request-check.ts';
import { autocommit } from '../../../shared/store/store.ts';
import type { RealInternet } from '../../fixtures/real-internet.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';

/** A node of the service with one app and the app's live domains. */
export interface CheckingNode extends AsyncDisposable {
  /** The CNAME target of the customers' records. */
  target: string;
  addActive(hostnames: readonly string[]): Promise<void>;
  addPending(hostname: string): Promise<DomainId>;
  /** Runs the DNS lookups of a check for each hostname, without the database. */
  survey(hostnames: readonly string[], sideBySide: number): Promise<void>;
  /** Runs a DNS check of every active domain. */
  check(): Promise<void>;
  /** Requests an immediate check of a domain, and waits until the webhook `domain.verified` has arrived. */
  verified(domain: DomainId): Promise<void>;
}

const CHECK_MS_MAX = 60_000;
const TERMS = { plan: 'enterprise', card_on_file: true, trial_ends_at: null, created_at: 0 } as const;

export async function startCheckingNode(
  databaseUrl: string,
  net: RealInternet,
  edgeZone: string,
): Promise<CheckingNode> {
  await migrated(databaseUrl);
  const config = benchConfig(databaseUrl);
  const settings = { ...config.settings, edgeZone };
  const { context, close } = await composeService(
    { ...config, settings, resolvers: net.resolverAddresses },
    BENCH_LOG,
    { authorityPort: net.authorityPort },
  );
  const { store, clock, dns } = context;
  if (dns === null) throw new Error('this node makes no lookups');
  const receiver = await startReceiver();
  const created = await createAccount(context, { name: 'bench', terms: TERMS, webhook_url: receiver.url });
  const { app, account } = created;
  const ids = { app_id: app.id, account_id: account.id, key_id: context.ids('key') };
  const caller: Caller = { ...ids, mode: 'live', idempotency: null };
  const add = async (hostname: string) => {
    const { body } = await createDomain(context, caller, { body: { hostname } });
    return body.id as DomainId;
  };
  // Drops the jobs that follow a check, such as certificate orders, because the bench does not measure them.
  const runner = createRunner(context, {
    handlers: { check_dns: checkDns },
    limits: { inFlightMax: 200, inFlightPerAccountMax: 20 },
    pollMs: 1000,
  });
  runner.start();

  async function unchecked(since: number): Promise<number> {
    // A check that changes nothing writes only `dns_checks`.
    const { count } = await store.db
      .selectFrom('domains')
      .leftJoin('dns_checks', 'dns_checks.domain_id', 'domains.id')
      .where('status', '=', 'active')
      .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', since)]))
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  return {
    target: cnameTarget(app, edgeZone),
    async addActive(hostnames) {
      for (const hostname of hostnames) await add(hostname);
      await autocommit(store)
        .db.updateTable('domains')
        .set({ status: 'active', status_since: clock.now() })
        .execute();
    },
    addPending: add,
    async survey(hostnames, sideBySide) {
      const left = hostnames.values();
      const worker = async () => {
        for (const hostname of left) {
          const domain = {
            hostname,
            is_apex: false,
            txt_value: '',
            status: 'active',
            routed_through: null,
            certificate: null,
          } as const;
          const facts = {
            hasRoute: true,
            hostLost: false,
            hasWhitelabel: true,
            otherProofs: [],
            now: clock.now(),
          };
          const expectation = expectationOf(domain, app, settings, facts);
          const { resolvers } = await dns.survey(expectation, 'again');
          if (resolvers.some((view) => viewOutcome(view, expectation) !== 'right'))
            throw new Error(`${hostname} does not have the right record`);
        }
      };
      await Promise.all(Array.from({ length: sideBySide }, worker));
    },
    async check() {
      const now = clock.now();
      await autocommit(store)
        .db.updateTable('jobs')
        .set({ due_at: now })
        .where('kind', '=', 'check_dns')
        .execute();
      context.notices.publish({ kind: 'work' });
      for (const endsAt = now + CHECK_MS_MAX; (await unchecked(now)) > 0; await sleep(10)) {
        if (clock.now() > endsAt) throw new Error('domains were left unchecked');
      }
    },
    async verified(domain) {
      const arrived = receiver.until(
        1,
        ({ type, domain_id }) => type === 'domain.verified' && domain_id === domain,
      );
      await verifyDomain(context, caller, { params: { id: domain } });
      await arrived;
    },
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await receiver[Symbol.asyncDispose]();
      await close();
    },
  };
}
