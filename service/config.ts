import path from 'node:path';
import type { TrustedHops } from '../shared/adapters/client-addresses.ts';
import { PLANS } from '../shared/core/accounts/plan.ts';
import { BUDGETS } from '../shared/core/budgets.ts';
import type { Ca } from '../shared/core/certificates/ca.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../shared/core/instant.ts';
import { createAddressSet } from '../shared/core/net/address-set.ts';
import { challengeZoneOf, serviceZones } from '../shared/core/net/service-zones.ts';
import type { ServiceProvider } from '../shared/core/providers/domain-connect.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';
import { issueMessage } from '../shared/schema/issue-message.ts';
import type { DnsRoleSettings } from './dns/zones-of-settings.ts';
import { localUrlOf } from './listening.ts';
import type { NatsSettings } from './nats/connect-nats.ts';
import type { AccessLogSettings } from './settings/access-log-settings.ts';
import { type StripeSettings, stripeSettings } from './settings/billing-settings.ts';
import { dnsSettings } from './settings/dns-settings.ts';
import { domainConnectSettings } from './settings/domain-connect-settings.ts';
import { type EdgeNodeSettings, edgeNodeSettings } from './settings/edge-node-settings.ts';
import { type Environment, environmentSchema, type LogLevel } from './settings/environment.ts';
import { natsSettings } from './settings/nats-settings.ts';
import type { NodeRole } from './settings/node-roles.ts';
import { type OidcSettings, oidcSettings } from './settings/oidc-settings.ts';
import type { EncryptionKeys, ListenAddress } from './settings/setting-kinds.ts';
import { unknownSettings } from './settings/unknown-settings.ts';

/** Configuration of a node, read from its environment. */
export interface ServiceConfig {
  settings: Settings;
  /** Address of the database. Null for an embedded Postgres in `dataDir`. */
  databaseUrl: string | null;
  /** Address of the database for LISTEN. It bypasses the pooler if `databaseUrl` has one. By default, it is `databaseUrl`. */
  listenUrl: string | null;
  dataDir: string;
  /** Keys that encrypt stored secrets. Null if the database is embedded and no keys are set. The key is then in a file in `dataDir`. */
  encryptionKeys: EncryptionKeys | null;
  /** Keys that seal the values of edges. If null, they are derived from the encryption keys. */
  edgeKeys: EncryptionKeys | null;
  /** The address at which an edge that may only read its values reaches the API of this deployment. */
  innerUrl: string;
  roles: readonly NodeRole[];
  api: ListenAddress;
  /** Address of HTTPS for visitors. */
  edge: ListenAddress;
  /** Address of plain HTTP, for ACME challenges, redirects to HTTPS and test domains. */
  edgeHttp: ListenAddress;
  /** The place of this machine among the edges. */
  edgeNode: EdgeNodeSettings;
  /** The program that handles visitors' connections: this process, or nginx. */
  edgeEngine: 'node' | 'nginx';
  /** The nginx program to run: its name or path. */
  nginxProgram: string;
  /** The folder for nginx's sockets and files. If null, the files are in the system's folder for temporary files. */
  edgeFolder: string | null;
  /** The folder of the replica, from which all edge processes of this machine serve. */
  edgeReplica: string;
  /** The source of the replica: the table in Postgres, or the bucket in NATS. */
  edgeSource: 'postgres' | 'nats';
  /** How to reach NATS; null if the environment names no server. */
  nats: NatsSettings | null;
  /** An edge whose replica is older than this reports an error. */
  edgeStaleMs: number;
  /** Whether the edge offers HTTP/3. */
  edgeHttp3: boolean;
  /** How long the edge waits for the first byte of an origin's response, and then for each further part. */
  originTimeoutMs: number;
  /** The access log of the edge; null if the edge logs no requests. */
  accessLog: AccessLogSettings | null;
  /** Number of edge processes. With more than one, the node is a parent that restarts them. */
  edgeProcesses: number;
  /** The operator's proxies and load balancers in front of the API, and in front of the edge. */
  apiHops: TrustedHops;
  edgeHops: TrustedHops;
  /** Settings of the DNS role; null if the environment names no DNS servers. */
  dns: DnsRoleSettings | null;
  /** Address of the server for health checks and metrics. It must not be public. */
  admin: ListenAddress;
  /** The three DNS resolvers that must all confirm a record, followed by spare resolvers. */
  resolvers: readonly string[];
  /** Certificate authorities in order of preference. Without a certificate authority, live domains get no certificate. */
  certificateAuthorities: readonly Ca[];
  /** PEM root certificates trusted in addition to the system's, for private authorities. */
  caRoots: readonly string[];
  /** Addresses in the operator's network at which this node's probes reach the edge. Null if the probes use the public addresses. */
  edgeProbeAddresses: readonly string[] | null;
  /** Public ports of the edge, to which our probes connect. */
  edgeProbePorts: [httpPort: number, httpsPort: number];
  /** The mail server; null if the node sends no mail. */
  mail: MailServer | null;
  /** Access to Stripe; null if the operator manages plans and cards by hand. */
  stripe: StripeSettings | null;
  /** The OpenID provider; null if people cannot sign in with one. */
  oidc: OidcSettings | null;
  /** Our identity for Domain Connect; null if the connect page offers no one-click links. */
  domainConnect: ServiceProvider | null;
  connectionsMax: number;
  /** Size of the edge's own connection pool, which keeps visitor requests and API requests from delaying each other. */
  edgeConnectionsMax: number;
  statementTimeoutMs: number;
  requestsInFlightMax: number;
  logLevel: LogLevel;
  /** When the node stops, /readyz responds with 503 for this time before the listeners close, so that a load balancer can notice. */
  drainDelayMs: number;
  /** The actor to name in the audit log. If null, the operating system user. */
  operator: string | null;
}

/** The SMTP server and the sender. The URL may contain a password, so it is never printed. */
export interface MailServer {
  smtpUrl: string;
  from: string;
}

/** A setting that is wrong, missing or unknown. */
export interface ConfigProblem {
  name: string;
  problem: string;
}

/** Reports all problems of the environment in one error. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the configuration before anything starts.
 * @param env the environment. A variable with an empty value is treated as not set.
 * @throws ConfigError that names every setting that is wrong, missing or unknown, and the fix.
 */
export function readConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
  const read = environmentSchema.safeParse(given, { error: issueMessage });
  const unknown = unknownSettings(given, Object.keys(environmentSchema.shape));
  if (read.success && unknown.length === 0) return fromEnvironment(read.data);
  // Reports only the first problem of each setting.
  const wrong = Map.groupBy(read.error?.issues ?? [], ({ path }) => String(path[0]));
  throw new ConfigError([
    ...[...wrong].map(([name, [first]]) => ({ name, problem: first?.message ?? 'is wrong' })),
    ...unknown,
  ]);
}

/** An app's rate limit is this multiple of one key's limit, so that a runaway key leaves a share for the app's other keys. */
const RATE_OF_APP = BUDGETS.app.perSecond / BUDGETS.api.perSecond;

function fromEnvironment(env: Environment): ServiceConfig {
  const baseUrl = env.NAMEPLATE_BASE_URL ?? `http://127.0.0.1:${env.NAMEPLATE_API_LISTEN.port}`;
  const [, httpsPort] = env.NAMEPLATE_EDGE_PROBE_PORTS;
  const docsUrl = env.NAMEPLATE_DOCS_URL ?? `${baseUrl}/docs`;
  return {
    settings: {
      names: serviceNames(env.NAMEPLATE_SERVICE_NAME),
      baseUrl,
      hostUrl: `https://{host}${httpsPort === 443 ? '' : `:${httpsPort}`}`,
      docsUrl,
      edgeZone: env.NAMEPLATE_EDGE_ZONE,
      challengeZone: challengeZone(env),
      sandboxZone: env.NAMEPLATE_SANDBOX_ZONE,
      edgeIpv4: env.NAMEPLATE_EDGE_IPV4,
      edgeIpv6: env.NAMEPLATE_EDGE_IPV6,
      caaIssuers: caaIssuers(env),
      serviceZones: serviceZones([baseUrl, docsUrl], ownHosts(env)),
      revokesOnDelete: env.NAMEPLATE_REVOKE_ON_DELETE,
      plans: env.NAMEPLATE_PLANS_FILE ?? PLANS,
      signUp: env.NAMEPLATE_SIGN_UP,
      operators: env.NAMEPLATE_OPERATORS,
      printsSignInLinks: env.DATABASE_URL === undefined && env.SMTP_URL === undefined,
      rate: { perSecond: env.NAMEPLATE_RATE_PER_SECOND, burst: env.NAMEPLATE_RATE_BURST },
      appRate: {
        perSecond: RATE_OF_APP * env.NAMEPLATE_RATE_PER_SECOND,
        burst: RATE_OF_APP * env.NAMEPLATE_RATE_BURST,
      },
      retentionMs: env.NAMEPLATE_RETENTION_DAYS * DAY_MS,
      trafficRetentionMs: env.NAMEPLATE_TRAFFIC_DAYS * DAY_MS,
      timerForLive: false,
      singleProcess: false,
      allowLoopback: false,
    },
    databaseUrl: env.DATABASE_URL ?? null,
    listenUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL ?? null,
    dataDir: env.NAMEPLATE_DATA_DIR,
    encryptionKeys: env.NAMEPLATE_ENCRYPTION_KEYS ?? null,
    edgeKeys: env.NAMEPLATE_EDGE_KEYS ?? null,
    innerUrl: env.NAMEPLATE_INNER_URL ?? localUrlOf(env.NAMEPLATE_API_LISTEN),
    roles: env.NAMEPLATE_ROLES,
    api: env.NAMEPLATE_API_LISTEN,
    edge: env.NAMEPLATE_EDGE_LISTEN,
    edgeHttp: env.NAMEPLATE_EDGE_HTTP_LISTEN,
    edgeNode: edgeNodeSettings(env),
    edgeEngine: env.NAMEPLATE_EDGE_ENGINE,
    nginxProgram: env.NAMEPLATE_NGINX,
    edgeFolder: env.NAMEPLATE_EDGE_FOLDER ?? null,
    edgeReplica: env.NAMEPLATE_EDGE_REPLICA ?? path.join(env.NAMEPLATE_DATA_DIR, 'edge'),
    edgeSource: env.NAMEPLATE_EDGE_SOURCE,
    nats: natsSettings(env),
    edgeStaleMs: env.NAMEPLATE_EDGE_STALE_HOURS * HOUR_MS,
    edgeHttp3: env.NAMEPLATE_EDGE_HTTP3,
    originTimeoutMs: env.NAMEPLATE_EDGE_ORIGIN_TIMEOUT_SECONDS * SECOND_MS,
    accessLog: accessLogOf(env),
    edgeProcesses: env.NAMEPLATE_EDGE_PROCESSES,
    apiHops: trustedHops(env, env.NAMEPLATE_API_PROXY_PROTOCOL_FROM),
    edgeHops: trustedHops(env, env.NAMEPLATE_PROXY_PROTOCOL_FROM),
    dns: dnsSettings(env),
    admin: env.NAMEPLATE_ADMIN_LISTEN,
    resolvers: env.NAMEPLATE_RESOLVERS,
    certificateAuthorities: certificateAuthorities(env),
    caRoots: env.NAMEPLATE_CA_ROOTS_FILE,
    edgeProbeAddresses: env.NAMEPLATE_EDGE_PROBE_ADDRESSES ?? null,
    edgeProbePorts: env.NAMEPLATE_EDGE_PROBE_PORTS,
    mail: mailServer(env),
    stripe: stripeSettings(env),
    oidc: oidcSettings(env),
    domainConnect: domainConnectSettings(env),
    connectionsMax: env.NAMEPLATE_DATABASE_CONNECTIONS,
    edgeConnectionsMax: env.NAMEPLATE_EDGE_DATABASE_CONNECTIONS,
    statementTimeoutMs: env.NAMEPLATE_STATEMENT_TIMEOUT_MS,
    requestsInFlightMax: env.NAMEPLATE_REQUESTS_IN_FLIGHT,
    logLevel: env.NAMEPLATE_LOG_LEVEL,
    drainDelayMs: env.NAMEPLATE_DRAIN_DELAY_MS,
    operator: env.NAMEPLATE_OPERATOR ?? null,
  };
}

function trustedHops({ NAMEPLATE_TRUSTED_PROXIES }: Environment, balancers: readonly string[]): TrustedHops {
  return { proxies: createAddressSet(NAMEPLATE_TRUSTED_PROXIES), balancers: createAddressSet(balancers) };
}

function ownHosts(env: Environment): string[] {
  const listeners = [
    env.NAMEPLATE_API_LISTEN,
    env.NAMEPLATE_EDGE_LISTEN,
    env.NAMEPLATE_EDGE_HTTP_LISTEN,
    env.NAMEPLATE_ADMIN_LISTEN,
    ...env.NAMEPLATE_DNS_LISTEN,
  ];
  const zones = [env.NAMEPLATE_EDGE_ZONE, env.NAMEPLATE_SANDBOX_ZONE, ...env.NAMEPLATE_SERVICE_ZONES];
  const dnsServers = env.NAMEPLATE_DNS_SERVERS?.map(({ name }) => name) ?? [];
  return [...zones, ...dnsServers, ...listeners.map(({ host }) => host)];
}

/**
 * Returns the zone of delegated challenges, or null if no name server has an address. We need an address to check a challenge's answer
 * before a CA checks it.
 */
function challengeZone({
  NAMEPLATE_DNS_SERVERS: servers = [],
  NAMEPLATE_EDGE_ZONE,
}: Environment): string | null {
  return servers.some(({ addresses }) => addresses.length > 0) ? challengeZoneOf(NAMEPLATE_EDGE_ZONE) : null;
}

function accessLogOf(env: Environment): AccessLogSettings | null {
  const { NAMEPLATE_ACCESS_LOG: target } = env;
  if (target === undefined) return null;
  return { target, sample: env.NAMEPLATE_ACCESS_LOG_SAMPLE, query: env.NAMEPLATE_ACCESS_LOG_QUERY };
}

function certificateAuthorities({
  NAMEPLATE_CAS,
  NAMEPLATE_CA_CONTACT: contact,
}: Environment): readonly Ca[] {
  return NAMEPLATE_CAS.map((ca) => ({ ...ca, contacts: contact === undefined ? [] : [`mailto:${contact}`] }));
}

/** Returns the CAA issuer names that customers must allow in their CAA records. */
function caaIssuers({ NAMEPLATE_CAS }: Environment): readonly string[] {
  const issuers = NAMEPLATE_CAS.flatMap(({ caa_issuers }) => caa_issuers);
  return issuers.length > 0 ? [...new Set(issuers)] : ['letsencrypt.org'];
}

function mailServer({ SMTP_URL, NAMEPLATE_MAIL_FROM }: Environment): MailServer | null {
  if (SMTP_URL === undefined || NAMEPLATE_MAIL_FROM === undefined) return null;
  return { smtpUrl: SMTP_URL, from: NAMEPLATE_MAIL_FROM };
}
