import { createOneClick } from '../shared/adapters/domain-connect.ts';
import { createOutbound } from '../shared/adapters/guarded-outbound.ts';
import { createSecretBox } from '../shared/adapters/secret-box.ts';
import { monotonicClock, systemClock } from '../shared/adapters/system-clock.ts';
import { createIds, systemRandom } from '../shared/adapters/system-random.ts';
import type { AttemptOutcome } from '../shared/core/webhooks/delivery.ts';
import { createCnameLookup } from '../shared/dns/cname-lookup.ts';
import { createDns } from '../shared/dns/create-dns.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import type { Context, IssuanceOutcome } from '../shared/operations/context.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { CnameLookup } from '../shared/ports/cname-lookup.ts';
import type { Dns } from '../shared/ports/dns.ts';
import type { Log } from '../shared/ports/log.ts';
import { createIssuance } from './acme/issuance.ts';
import type { ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { type DatabaseClock, openDatabaseClock } from './database/database-clock.ts';
import { checkMigrated, migrateDatabase } from './database/migrations.ts';
import { openPostgresNotices } from './database/postgres-notices.ts';
import { measuredDns, type SurveyDone } from './health/measured-dns.ts';
import { checkKeys } from './settings/check-keys.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** A node's connected adapters: everything except its listening servers. */
export interface Composition {
  dns: Dns;
  context: Context;
  runner: Runner;
  database: Database;
  /** Database clock; null if a test provides its own clock. */
  database_clock: DatabaseClock | null;
  close(): Promise<void>;
}

export interface CompositionOverrides {
  /** Replaces the database clock in tests. */
  clock?: Clock;
  /** Called after every attempt to deliver an event. */
  on_attempt?: (outcome: AttemptOutcome) => void;
  /** Called after every attempt to obtain a certificate. */
  on_certificate?: (outcome: IssuanceOutcome) => void;
  /** Called after every survey of a hostname's DNS. */
  on_survey?: (done: SurveyDone) => void;
  /** Resolves hosts of webhooks and origins; tests point them at loopback. */
  lookup?: Parameters<typeof createOutbound>[0]['lookup'];
  /** Resolves the CNAME of a white-label host in tests. */
  cname_lookup?: CnameLookup;
  /** Port of authoritative name servers, 53 by default. Tests use another one. */
  authority_port?: number;
}

/**
 * Creates a node's adapters. This is the composition root: no other code creates them.
 * @throws CommandError if the database does not respond, or its migrations, statement timeout or keys do not fit this program.
 */
export async function composeService(
  config: ServiceConfig,
  log: Log,
  overrides: CompositionOverrides = {},
): Promise<Composition> {
  const database = await openDatabase(config, log);
  try {
    return await compose(config, database, log, overrides);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function compose(
  config: ServiceConfig,
  database: Database,
  log: Log,
  overrides: CompositionOverrides,
): Promise<Composition> {
  const { settings } = config;
  const { store, keys } = database;
  // The embedded database belongs to this node alone, so the node migrates it without waiting for an operator.
  if (config.database_url === null) await migrateDatabase(database.direct_url, log);
  else await checkMigrated(store);
  await database.checkTimeout();
  const secrets = createSecretBox(keys, systemRandom);
  await checkKeys(store, keys, secrets);
  const plainDns = createDns({
    resolvers: config.resolvers,
    allow_loopback: settings.allow_loopback,
    ...(overrides.authority_port === undefined ? {} : { authority_port: overrides.authority_port }),
    random: systemRandom,
    clock: monotonicClock,
  });
  const dns =
    overrides.on_survey === undefined ? plainDns : measuredDns(plainDns, monotonicClock, overrides.on_survey);
  const cnameLookup = overrides.cname_lookup ?? createCnameLookup(dns);
  const databaseClock =
    overrides.clock === undefined
      ? await openDatabaseClock(database.health_store, { machine: monotonicClock, log })
      : null;
  const clock = overrides.clock ?? databaseClock ?? systemClock;
  const outbound = createOutbound({
    allow_loopback: settings.allow_loopback,
    refused_addresses: [...settings.edge_ipv4, ...settings.edge_ipv6],
    ...(overrides.lookup === undefined ? {} : { lookup: overrides.lookup }),
  });
  const notices = openPostgresNotices({
    connection_string: database.direct_url,
    log,
    on_gap: () => context.notices.publish({ kind: 'gap' }),
  });
  const mailer = config.mail === null ? null : createSmtpMailer(config.mail.smtp_url, config.mail.from);
  const issuance = createIssuance(config, clock, overrides.on_certificate);
  const context: Context = {
    settings,
    store,
    clock,
    wall_clock: systemClock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    secrets,
    outbound,
    cname_lookup: cnameLookup,
    dns,
    one_click:
      config.domain_connect &&
      createOneClick(config.domain_connect, { dns, outbound, user_agent: settings.names.probe_user_agent }),
    mailer,
    issuance,
    notices,
    log,
  };
  const runner = createRunner(context, {
    handlers: COMMON_HANDLERS,
    limits: { in_flight_max: 400, in_flight_per_app_max: 20 },
    poll_ms: 1000,
    ...(overrides.on_attempt === undefined ? {} : { on_attempt: overrides.on_attempt }),
  });
  return {
    context,
    runner,
    database,
    database_clock: databaseClock,
    dns,
    async close() {
      databaseClock?.close();
      mailer?.close();
      await notices.close();
      await issuance?.close();
      await outbound.close();
      await database.close();
    },
  };
}
