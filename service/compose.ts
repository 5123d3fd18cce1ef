import { randomUUID } from 'node:crypto';
import { createOneClick } from '../shared/adapters/domain-connect.ts';
import { createOutbound } from '../shared/adapters/guarded-outbound.ts';
import { createSecretBox } from '../shared/adapters/secret-box.ts';
import { createIds, monotonicClock, systemClock, systemRandom } from '../shared/adapters/system.ts';
import { createValueBox } from '../shared/adapters/value-box.ts';
import { passkeySite } from '../shared/core/accounts/passkey.ts';
import { slotsOf } from '../shared/core/domains/job.ts';
import { loadOnce } from '../shared/core/load-once.ts';
import type { AttemptOutcome } from '../shared/core/webhooks/delivery.ts';
import { createCnameLookup } from '../shared/dns/cname-lookup.ts';
import { createDns } from '../shared/dns/create-dns.ts';
import { CONFIRMING } from '../shared/dns/resolvers.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import type { Context, IssuanceOutcome } from '../shared/operations/context.ts';
import type { Billing, IdentityProvider, Passkeys } from '../shared/ports/accounts.ts';
import type { CnameLookup, Dns } from '../shared/ports/dns.ts';
import type { Clock, Log } from '../shared/ports/system.ts';
import { createIssuance } from './acme/issuance.ts';
import type { ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { type DatabaseClock, openDatabaseClock } from './database/database-clock.ts';
import { checkMigrated, migrateDatabase } from './database/migrations.ts';
import { openPostgresNotices } from './database/postgres-notices.ts';
import { createPathProbe, pathKeysOf } from './edge/path-probe.ts';
import { measuredDns, type SurveyDone } from './health/measured-dns.ts';
import { createPasskeys } from './identity/passkeys.ts';
import { checkEdgeKeys, checkKeys } from './settings/check-keys.ts';
import type { OidcSettings } from './settings/oidc-settings.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** A node's adapters, connected with each other: everything except its listening servers. */
export interface Composition {
  dns: Dns;
  context: Context;
  runner: Runner;
  database: Database;
  /** Null if browsers do not support passkeys at the base URL. */
  passkeys: Passkeys | null;
  identityProvider: IdentityProvider | null;
  /** The clock that follows the database; null if a test provides its own clock. */
  databaseClock: DatabaseClock | null;
  close(): Promise<void>;
}

export interface CompositionOverrides {
  /** Replaces the database clock in tests. */
  clock?: Clock;
  /** Called after every attempt to deliver an event. */
  onAttempt?: (outcome: AttemptOutcome) => void;
  /** Called after every attempt to obtain a certificate. */
  onCertificate?: (outcome: IssuanceOutcome) => void;
  /** Called after every DNS survey of a hostname. */
  onSurvey?: (done: SurveyDone) => void;
  /** Resolves the hosts of webhooks and origins. Tests replace this function to get loopback addresses. */
  lookup?: Parameters<typeof createOutbound>[0]['lookup'];
  /** Resolves the CNAME of a white-label host in tests. */
  cnameLookup?: CnameLookup;
  /** Replaces the billing provider in tests. */
  billing?: Billing;
  /** Port of authoritative name servers, 53 by default. Tests use another one. */
  authorityPort?: number;
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
  // Only this node uses the embedded database, so the node migrates it itself instead of waiting for an operator.
  if (config.databaseUrl === null) await migrateDatabase({ connectionString: database.directUrl, log });
  else await checkMigrated(store);
  await database.checkTimeout();
  const secrets = createSecretBox(keys, systemRandom);
  await checkKeys(store, keys, secrets);
  await checkEdgeKeys(store, database.edgeKeys, log);
  const plainDns = createDns({
    resolvers: config.resolvers.slice(0, CONFIRMING),
    spareResolvers: config.resolvers.slice(CONFIRMING),
    allowLoopback: settings.allowLoopback,
    ...(overrides.authorityPort === undefined ? {} : { authorityPort: overrides.authorityPort }),
    random: systemRandom,
    clock: monotonicClock,
  });
  const dns =
    overrides.onSurvey === undefined ? plainDns : measuredDns(plainDns, monotonicClock, overrides.onSurvey);
  const cnameLookup = overrides.cnameLookup ?? createCnameLookup(dns);
  const databaseClock =
    overrides.clock === undefined
      ? await openDatabaseClock(database.healthStore, { machine: monotonicClock, log })
      : null;
  const clock = overrides.clock ?? databaseClock ?? systemClock;
  const outbound = createOutbound({
    allowLoopback: settings.allowLoopback,
    refusedAddresses: [...settings.edgeIpv4, ...settings.edgeIpv6],
    ...(overrides.lookup === undefined ? {} : { lookup: overrides.lookup }),
  });
  const notices = openPostgresNotices({
    connectionString: database.directUrl,
    log,
    onGap: () => context.notices.publish({ kind: 'gap' }),
  });
  const mailer = config.mail === null ? null : createSmtpMailer(config.mail.smtpUrl, config.mail.from);
  const billing = await openBilling(config);
  const site = passkeySite(settings.baseUrl);
  const issuance = createIssuance(config, clock, overrides.onCertificate);
  const context: Context = {
    settings,
    store,
    clock,
    // Use the database's time for signatures, because receivers compare it with their own clocks, and this machine's clock may be wrong.
    wallClock: databaseClock ?? systemClock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    secrets,
    outbound,
    cnameLookup,
    dns,
    pathProbe: createPathProbe({
      names: settings.names,
      keys: pathKeysOf(database.edgeKeys),
      clock,
      random: systemRandom,
      ports: config.edgeProbePorts,
      allowLoopback: settings.allowLoopback,
      refusedAddresses: [...settings.edgeIpv4, ...settings.edgeIpv6],
      roots: config.caRoots,
    }),
    oneClick:
      config.domainConnect &&
      createOneClick(config.domainConnect, { dns, outbound, userAgent: settings.names.probe_user_agent }),
    mailer,
    billing: overrides.billing ?? billing,
    issuance,
    notices,
    edges: { box: createValueBox(database.edgeKeys, systemRandom), installation: randomUUID() },
    log,
  };
  const runner = createRunner(context, {
    handlers: COMMON_HANDLERS,
    limits: slotsOf('deliveries'),
    pollMs: 1000,
    ...(overrides.onAttempt === undefined ? {} : { onAttempt: overrides.onAttempt }),
  });
  return {
    context,
    runner,
    database,
    passkeys: site && createPasskeys(site, settings.names.service_name),
    identityProvider: config.oidc && createIdentityProvider(config.oidc, log),
    databaseClock,
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

/** Returns the billing provider. */
async function openBilling({ stripe }: ServiceConfig): Promise<Billing | null> {
  if (stripe === null) return null;
  // Lazy: Stripe's package is loaded only if the settings choose Stripe.
  const { createStripeBilling } = await import('./billing/stripe-billing.ts');
  return createStripeBilling(stripe);
}

/** Creates the identity provider of the settings. */
export function createIdentityProvider(settings: OidcSettings, log: Log): IdentityProvider {
  // Lazy: most nodes never need the OpenID library.
  const loading = loadOnce(async () =>
    (await import('./identity/openid-provider.ts')).createOpenIdProvider(settings, log),
  );
  return {
    name: settings.name,
    mailDomains: settings.mailDomains,
    authorizationUrl: async (...request) => (await loading.get()).authorizationUrl(...request),
    readIdentity: async (...callback) => (await loading.get()).readIdentity(...callback),
  };
}
