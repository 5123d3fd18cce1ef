import * as z from 'zod';
import type { Ca } from '../shared/core/ca.ts';
import type { ServiceProvider } from '../shared/core/domain-connect.ts';
import { DNS_PROVIDER_HOSTS } from '../shared/core/domain-connect-hosts.ts';
import { isUnder } from '../shared/core/hostname.ts';
import { DAY_MS } from '../shared/core/instant.ts';
import { PLANS } from '../shared/core/plan.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';
import { caList, pemFile } from './ca-settings.ts';
import {
  type Address,
  count,
  dnsName,
  type EncryptionKeys,
  keyRing,
  listenAddress,
  listOf,
  portPair,
  postgresUrl,
  publicUrl,
  resolvers,
  signingKeyFile,
  smtpUrl,
} from './setting-kinds.ts';
import { unknownSettings } from './unknown-settings.ts';

/** What a node of the service is told by its environment. */
export interface ServiceConfig {
  settings: Settings;
  /** Null: an embedded Postgres in `data_dir`. */
  database_url: string | null;
  /** A connection that may LISTEN, where `database_url` goes through a pooler; the same by default. */
  listen_url: string | null;
  data_dir: string;
  /** Null only with the embedded Postgres, which keeps a key file of its own. */
  encryption_keys: EncryptionKeys | null;
  roles: readonly Role[];
  api: Address;
  /** Visitors, by HTTPS. */
  edge: Address;
  /** By plain HTTP: challenges, redirects to HTTPS, test domains. */
  edge_http: Address;
  /** Health and metrics: never on the public address. */
  admin: Address;
  resolvers: readonly string[];
  /** In the order in which they are asked; without any, live domains get no certificate. */
  certificate_authorities: readonly Ca[];
  /** Certificates in PEM that are trusted beside the system's, for authorities of one's own. */
  ca_roots: readonly string[];
  /** Where the world reaches the edge, by HTTP and by HTTPS. */
  edge_probe_ports: [http_port: number, https_port: number];
  /** Null: no mail is sent. */
  mail: MailServer | null;
  /** Null: no one-click links. */
  domain_connect: ServiceProvider | null;
  connections_max: number;
  /** Of the edge's own pool: visitors and the API take no connection from each other. */
  edge_connections_max: number;
  statement_timeout_ms: number;
  requests_in_flight_max: number;
  log_level: LogLevel;
  /** Between the first 503 of /readyz and the end of the listeners: what a load balancer takes to notice. */
  drain_delay_ms: number;
  /** Who acts, for the audit log; null: the user of the operating system. */
  operator: string | null;
}

/** Where mail goes out, and from whom. Its address may hold a password: it is never printed. */
export interface MailServer {
  smtp_url: string;
  from: string;
}

export const ROLES = ['api', 'worker', 'edge'] as const;
export type Role = (typeof ROLES)[number];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A setting that is wrong or missing, with what to write. */
export interface ConfigProblem {
  name: string;
  problem: string;
}

/** Every problem of the environment at once. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ name, problem }) => `${name} ${problem}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the environment before anything starts.
 * @param env an empty value counts as none.
 * @throws ConfigError that names every setting that is wrong, missing or unknown, and what to write.
 */
export function readConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
  const read = environmentSchema.safeParse(given);
  const unknown = unknownSettings(given, Object.keys(environmentSchema.shape));
  if (read.success && unknown.length === 0) return fromEnvironment(read.data);
  // One problem a setting: the first, whichever of its parts is wrong.
  const wrong = Map.groupBy(read.error?.issues ?? [], ({ path }) => String(path[0]));
  throw new ConfigError([
    ...[...wrong].map(([name, [first]]) => ({ name, problem: first?.message ?? 'is wrong' })),
    ...unknown,
  ]);
}

/** Of a check across settings: whatever else is wrong, all problems are told at once. */
const told_with_all_else = { when: () => true };

/** Every setting, with its default: the table of the deployment guide is held against it. */
export const environmentSchema = z
  .object({
    DATABASE_URL: postgresUrl.optional(),
    DATABASE_LISTEN_URL: postgresUrl.optional(),
    NAMEPLATE_DATA_DIR: z.string().default('.nameplate/service'),
    NAMEPLATE_ENCRYPTION_KEYS: keyRing.optional(),
    NAMEPLATE_SERVICE_NAME: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9]{0,30}$/, 'must be letters and digits')
      .default('Service'),
    NAMEPLATE_BASE_URL: publicUrl
      .refine(
        (url) => !url.endsWith('/v1'),
        'must be the address without /v1, such as https://api.example.net',
      )
      .optional(),
    NAMEPLATE_DOCS_URL: publicUrl.optional(),
    NAMEPLATE_EDGE_ZONE: dnsName.default('edge.nameplate.test'),
    NAMEPLATE_SANDBOX_ZONE: dnsName.default('sandbox.nameplate.test'),
    NAMEPLATE_SERVICE_ZONES: listOf(dnsName).default([]),
    NAMEPLATE_EDGE_IPV4: listOf(z.ipv4('must be IPv4 addresses parted by commas')).default(['127.0.0.1']),
    NAMEPLATE_EDGE_IPV6: listOf(z.ipv6('must be IPv6 addresses parted by commas')).default(['::1']),
    NAMEPLATE_ROLES: listOf(z.enum(ROLES, 'must be some of api, worker, edge')).default([...ROLES]),
    NAMEPLATE_API_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4500 }),
    NAMEPLATE_EDGE_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4443 }),
    NAMEPLATE_EDGE_HTTP_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4501 }),
    NAMEPLATE_ADMIN_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4502 }),
    NAMEPLATE_RESOLVERS: resolvers.default(['1.1.1.1', '8.8.8.8', '9.9.9.9']),
    NAMEPLATE_CAS: caList.default([]),
    NAMEPLATE_CA_CONTACT: z.email('must be an address of mail, such as ops@example.net').optional(),
    NAMEPLATE_CA_ROOTS_FILE: pemFile.default([]),
    NAMEPLATE_EDGE_PROBE_PORTS: portPair.default([80, 443]),
    SMTP_URL: smtpUrl.optional(),
    NAMEPLATE_MAIL_FROM: z.email('must be an address of mail, such as domains@example.net').optional(),
    NAMEPLATE_DOMAIN_CONNECT_ID: dnsName.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_FILE: signingKeyFile.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_DOMAIN: dnsName.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_HOST: z
      .string()
      .regex(/^[a-z0-9_-]{1,63}$/, 'must be one label, such as _dck1')
      .default('_dck1'),
    NAMEPLATE_RATE_PER_SECOND: count(1, 100_000).default(100),
    NAMEPLATE_RATE_BURST: count(1, 1_000_000).default(200),
    NAMEPLATE_RETENTION_DAYS: count(1, 3650).default(30),
    NAMEPLATE_DATABASE_CONNECTIONS: count(2, 500).default(10),
    NAMEPLATE_EDGE_DATABASE_CONNECTIONS: count(1, 500).default(4),
    NAMEPLATE_STATEMENT_TIMEOUT_MS: count(100, 600_000).default(10_000),
    NAMEPLATE_REQUESTS_IN_FLIGHT: count(1, 100_000).default(200),
    NAMEPLATE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    NAMEPLATE_DRAIN_DELAY_MS: count(0, 60_000).default(0),
    NAMEPLATE_OPERATOR: z
      .string()
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{N} .@_+-]{0,79}$/u,
        'must be a name or an address of at most 80 characters',
      )
      .optional(),
  })
  .refine(({ DATABASE_URL, NAMEPLATE_ENCRYPTION_KEYS }) => !DATABASE_URL || NAMEPLATE_ENCRYPTION_KEYS, {
    path: ['NAMEPLATE_ENCRYPTION_KEYS'],
    error:
      'is missing: secrets are stored encrypted. Write k1:<32 bytes in base64>; make one with: openssl rand -base64 32',
    ...told_with_all_else,
  })
  .refine(({ DATABASE_URL, DATABASE_LISTEN_URL }) => DATABASE_URL || !DATABASE_LISTEN_URL, {
    path: ['DATABASE_URL'],
    error: 'is missing: DATABASE_LISTEN_URL is a second way to the database that it names',
    ...told_with_all_else,
  })
  .refine(({ SMTP_URL, NAMEPLATE_MAIL_FROM }) => !SMTP_URL || NAMEPLATE_MAIL_FROM, {
    path: ['NAMEPLATE_MAIL_FROM'],
    error: 'is missing: mail needs a sender. Write an address, such as domains@example.net',
    ...told_with_all_else,
  })
  .refine(
    ({ NAMEPLATE_DOMAIN_CONNECT_ID, NAMEPLATE_DOMAIN_CONNECT_KEY_FILE }) =>
      !NAMEPLATE_DOMAIN_CONNECT_ID === !NAMEPLATE_DOMAIN_CONNECT_KEY_FILE,
    {
      path: ['NAMEPLATE_DOMAIN_CONNECT_KEY_FILE'],
      error: 'and NAMEPLATE_DOMAIN_CONNECT_ID go together: write both, or neither',
      ...told_with_all_else,
    },
  )
  .refine(
    ({ NAMEPLATE_EDGE_ZONE, NAMEPLATE_SANDBOX_ZONE }) => NAMEPLATE_EDGE_ZONE !== NAMEPLATE_SANDBOX_ZONE,
    {
      path: ['NAMEPLATE_SANDBOX_ZONE'],
      error:
        'must be another zone than NAMEPLATE_EDGE_ZONE: names in the one are targets, in the other test domains',
    },
  );

type Environment = z.output<typeof environmentSchema>;

function fromEnvironment(env: Environment): ServiceConfig {
  const zones = [env.NAMEPLATE_EDGE_ZONE, env.NAMEPLATE_SANDBOX_ZONE, ...env.NAMEPLATE_SERVICE_ZONES];
  const base_url = env.NAMEPLATE_BASE_URL ?? `http://127.0.0.1:${env.NAMEPLATE_API_LISTEN.port}`;
  return {
    settings: {
      names: serviceNames(env.NAMEPLATE_SERVICE_NAME),
      base_url,
      docs_url: env.NAMEPLATE_DOCS_URL ?? `${base_url}/docs`,
      edge_zone: env.NAMEPLATE_EDGE_ZONE,
      sandbox_zone: env.NAMEPLATE_SANDBOX_ZONE,
      edge_ipv4: env.NAMEPLATE_EDGE_IPV4,
      edge_ipv6: env.NAMEPLATE_EDGE_IPV6,
      caa_issuers: caaIssuers(env),
      service_zones: zones.filter(
        (zone, index) => !zones.some((other, at) => at !== index && zone !== other && isUnder(zone, other)),
      ),
      plans: PLANS,
      rate: { per_second: env.NAMEPLATE_RATE_PER_SECOND, burst: env.NAMEPLATE_RATE_BURST },
      retention_ms: env.NAMEPLATE_RETENTION_DAYS * DAY_MS,
      timer_for_live: false,
      single_process: false,
      allow_loopback: false,
    },
    database_url: env.DATABASE_URL ?? null,
    listen_url: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL ?? null,
    data_dir: env.NAMEPLATE_DATA_DIR,
    encryption_keys: env.NAMEPLATE_ENCRYPTION_KEYS ?? null,
    roles: env.NAMEPLATE_ROLES,
    api: env.NAMEPLATE_API_LISTEN,
    edge: env.NAMEPLATE_EDGE_LISTEN,
    edge_http: env.NAMEPLATE_EDGE_HTTP_LISTEN,
    admin: env.NAMEPLATE_ADMIN_LISTEN,
    resolvers: env.NAMEPLATE_RESOLVERS,
    certificate_authorities: certificateAuthorities(env),
    ca_roots: env.NAMEPLATE_CA_ROOTS_FILE,
    edge_probe_ports: env.NAMEPLATE_EDGE_PROBE_PORTS,
    mail: mailServer(env),
    domain_connect: domainConnect(env),
    connections_max: env.NAMEPLATE_DATABASE_CONNECTIONS,
    edge_connections_max: env.NAMEPLATE_EDGE_DATABASE_CONNECTIONS,
    statement_timeout_ms: env.NAMEPLATE_STATEMENT_TIMEOUT_MS,
    requests_in_flight_max: env.NAMEPLATE_REQUESTS_IN_FLIGHT,
    log_level: env.NAMEPLATE_LOG_LEVEL,
    drain_delay_ms: env.NAMEPLATE_DRAIN_DELAY_MS,
    operator: env.NAMEPLATE_OPERATOR ?? null,
  };
}

function certificateAuthorities({
  NAMEPLATE_CAS,
  NAMEPLATE_CA_CONTACT: contact,
}: Environment): readonly Ca[] {
  return NAMEPLATE_CAS.map((ca) => ({ ...ca, contacts: contact === undefined ? [] : [`mailto:${contact}`] }));
}

/** What customers are told to allow. */
function caaIssuers({ NAMEPLATE_CAS }: Environment): readonly string[] {
  const issuers = NAMEPLATE_CAS.flatMap(({ caa_issuers }) => caa_issuers);
  return issuers.length > 0 ? [...new Set(issuers)] : ['letsencrypt.org'];
}

function mailServer({ SMTP_URL, NAMEPLATE_MAIL_FROM }: Environment): MailServer | null {
  if (SMTP_URL === undefined || NAMEPLATE_MAIL_FROM === undefined) return null;
  return { smtp_url: SMTP_URL, from: NAMEPLATE_MAIL_FROM };
}

function domainConnect(env: Environment): ServiceProvider | null {
  const { NAMEPLATE_DOMAIN_CONNECT_ID: provider_id, NAMEPLATE_DOMAIN_CONNECT_KEY_FILE: private_key } = env;
  if (provider_id === undefined || private_key === undefined) return null;
  return {
    provider_id,
    provider_name: env.NAMEPLATE_SERVICE_NAME,
    key_domain: env.NAMEPLATE_DOMAIN_CONNECT_KEY_DOMAIN ?? provider_id,
    key_host: env.NAMEPLATE_DOMAIN_CONNECT_KEY_HOST,
    private_key,
    allow: DNS_PROVIDER_HOSTS,
  };
}
