import { isIP } from 'node:net';
import * as z from 'zod';
import { isUnder, readName } from '../shared/core/hostname.ts';
import { DAY_MS } from '../shared/core/instant.ts';
import { PLANS } from '../shared/core/plan.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';

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
  edge: Address;
  /** Health and metrics: never on the public address. */
  admin: Address;
  resolvers: readonly string[];
  connections_max: number;
  statement_timeout_ms: number;
  requests_in_flight_max: number;
  log_level: LogLevel;
  /** Between the first 503 of /readyz and the end of the listeners: what a load balancer takes to notice. */
  drain_delay_ms: number;
  /** Who acts, for the audit log; null: the user of the operating system. */
  operator: string | null;
}

export interface EncryptionKeys {
  current: string;
  keys: ReadonlyMap<string, Uint8Array>;
}

export interface Address {
  host: string;
  port: number;
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
 * @param env unknown names are none of ours; an empty value counts as none.
 * @throws ConfigError that names every setting that is wrong or missing, and what to write.
 */
export function readConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const read = environmentSchema.safeParse(given);
  if (!read.success) {
    throw new ConfigError(
      // One problem a setting, whichever of its parts is wrong.
      [...new Map(read.error.issues.map(({ path, message }) => [String(path[0]), message])).entries()].map(
        ([name, problem]) => ({ name, problem }),
      ),
    );
  }
  return fromEnvironment(read.data);
}

const name = z.string().transform((text, issues) => {
  const known = readName(text);
  if ('name' in known) return known.name;
  issues.addIssue(`must be a DNS name, such as edge.example.net: ${known.problem}`);
  return z.NEVER;
});
const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((each) => each.trim()))
    .pipe(z.array(item).min(1));
const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be ${min} at least`).max(max, `must be ${max} at most`));
const url = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.net' })
  .transform((text) => text.replace(/\/+$/, ''));
const address = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/, 'must be host:port, such as 0.0.0.0:8080')
  .transform((text): Address => {
    const at = text.lastIndexOf(':');
    return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
  })
  .refine(({ port }) => port <= 65_535, 'has a port over 65535');
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a Postgres address: postgres://user:password@host:5432/name');
const keyRing = z.string().transform((text, issues): EncryptionKeys => {
  const keys = new Map<string, Uint8Array>();
  let current = '';
  for (const part of text.split(',')) {
    const [, id, encoded] = /^\s*([A-Za-z0-9]{1,16}):([A-Za-z0-9+/_=-]+)\s*$/.exec(part) ?? [];
    const bytes = Buffer.from(encoded ?? '', 'base64');
    if (id === undefined || bytes.length !== 32 || keys.has(id)) {
      issues.addIssue(
        'must be <id>:<32 bytes in base64>, several parted by commas, the newest first; make one with: openssl rand -base64 32',
      );
      return z.NEVER;
    }
    keys.set(id, bytes);
    current ||= id;
  }
  return { current, keys };
});

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
    NAMEPLATE_BASE_URL: url.optional(),
    NAMEPLATE_DOCS_URL: url.optional(),
    NAMEPLATE_EDGE_ZONE: name.default('edge.nameplate.test'),
    NAMEPLATE_SANDBOX_ZONE: name.default('sandbox.nameplate.test'),
    NAMEPLATE_SERVICE_ZONES: list(name).default([]),
    NAMEPLATE_EDGE_IPV4: list(z.ipv4('must be IPv4 addresses parted by commas')).default(['127.0.0.1']),
    NAMEPLATE_EDGE_IPV6: list(z.ipv6('must be IPv6 addresses parted by commas')).default(['::1']),
    NAMEPLATE_ROLES: list(z.enum(ROLES, 'must be some of api, worker, edge')).default([...ROLES]),
    NAMEPLATE_API_LISTEN: address.default({ host: '127.0.0.1', port: 4500 }),
    NAMEPLATE_EDGE_LISTEN: address.default({ host: '127.0.0.1', port: 4501 }),
    NAMEPLATE_ADMIN_LISTEN: address.default({ host: '127.0.0.1', port: 4502 }),
    NAMEPLATE_RESOLVERS: list(
      z
        .string()
        .refine(
          isResolver,
          'must be IP addresses parted by commas, with a port where it is not 53: [2001:db8::1]:5353',
        ),
    ).default(['1.1.1.1', '8.8.8.8', '9.9.9.9']),
    NAMEPLATE_RATE_PER_SECOND: count(1, 100_000).default(100),
    NAMEPLATE_RATE_BURST: count(1, 1_000_000).default(200),
    NAMEPLATE_RETENTION_DAYS: count(1, 3650).default(30),
    NAMEPLATE_DATABASE_CONNECTIONS: count(2, 500).default(10),
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
    // Whatever else is wrong: all problems are told at once.
    when: () => true,
  });

/** `1.1.1.1`, `1.1.1.1:5353`, `2606:4700::1111` or `[2606:4700::1111]:5353`. */
function isResolver(text: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(text) ?? [];
  return isIP(bracketed ?? plain ?? text) !== 0;
}

function fromEnvironment(env: z.output<typeof environmentSchema>): ServiceConfig {
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
    admin: env.NAMEPLATE_ADMIN_LISTEN,
    resolvers: env.NAMEPLATE_RESOLVERS,
    connections_max: env.NAMEPLATE_DATABASE_CONNECTIONS,
    statement_timeout_ms: env.NAMEPLATE_STATEMENT_TIMEOUT_MS,
    requests_in_flight_max: env.NAMEPLATE_REQUESTS_IN_FLIGHT,
    log_level: env.NAMEPLATE_LOG_LEVEL,
    drain_delay_ms: env.NAMEPLATE_DRAIN_DELAY_MS,
    operator: env.NAMEPLATE_OPERATOR ?? null,
  };
}
