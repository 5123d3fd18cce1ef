import * as z from 'zod';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { isUnder } from '../../shared/core/domains/hostname.ts';
import { PUBLIC_RESOLVERS } from '../../shared/dns/resolvers.ts';
import { accessLogTarget, sampleShare } from './access-log-settings.ts';
import { caList, pemFile } from './ca-settings.ts';
import { edgeName, edgeRegions, hasOwnAddresses } from './edge-node-settings.ts';
import { natsName, natsServers, textFile } from './nats-settings.ts';
import { followsDatabase, followsNats, isOutside, NODE_ROLES, type NodeRole } from './node-roles.ts';
import { isSafeIssuer, issuerUrl, isWholeProvider } from './oidc-settings.ts';
import { planFile } from './plan-settings.ts';
import {
  commaList,
  count,
  dnsName,
  dnsServers,
  ipAddresses,
  ipListenAddress,
  ipv4Addresses,
  ipv6Addresses,
  keyRing,
  listenAddress,
  networks,
  portPair,
  postgresUrl,
  proxyNetworks,
  publicUrl,
  resolvers,
  signingKeyFile,
  smtpUrl,
  stripeSecretKey,
  stripeWebhookSecret,
  yesOrNo,
} from './setting-kinds.ts';

/** The default roles. The roles `dns` and `relay` are not defaults, because they need additional settings. */
export const DEFAULT_ROLES: readonly NodeRole[] = ['api', 'worker', 'edge'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Matches the beginning of a mail address for the SOA record, in which the part before `@` becomes one label (RFC 1035 section 3.3.13). */
export const DNS_CONTACT = /^[A-Za-z0-9_-]+@/;
const DNS_CONTACT_FORM = 'must be an email address without a dot before @, such as hostmaster@example.net';

/**
 * The option for a check that compares several settings. With this option, the check also runs if other settings are wrong, so that all
 * problems are reported together.
 */
const alwaysChecked = { when: () => true };

/** Every setting with its default. A test compares the defaults with the table in the deployment guide. */
export const environmentSchema = z
  .object({
    DATABASE_URL: postgresUrl.optional(),
    DATABASE_LISTEN_URL: postgresUrl.optional(),
    NAMEPLATE_DATA_DIR: z.string().default('.nameplate/service'),
    NAMEPLATE_ENCRYPTION_KEYS: keyRing.optional(),
    NAMEPLATE_EDGE_KEYS: keyRing.optional(),
    NAMEPLATE_INNER_URL: publicUrl.optional(),
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
    NAMEPLATE_SERVICE_ZONES: commaList(dnsName).default([]),
    NAMEPLATE_EDGE_IPV4: ipv4Addresses.default(['127.0.0.1']),
    NAMEPLATE_EDGE_IPV6: ipv6Addresses.default(['::1']),
    NAMEPLATE_EDGE_NODE: edgeName.optional(),
    NAMEPLATE_EDGE_ADDRESSES: ipAddresses.default([]),
    NAMEPLATE_EDGE_REGIONS: edgeRegions.default(['default']),
    NAMEPLATE_ROLES: commaList(
      z.enum(NODE_ROLES, 'must be one or more of api, worker, edge, dns, relay'),
    ).default([...DEFAULT_ROLES]),
    NAMEPLATE_API_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4500 }),
    NAMEPLATE_EDGE_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4443 }),
    NAMEPLATE_EDGE_HTTP_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4501 }),
    NAMEPLATE_EDGE_ENGINE: z.enum(['node', 'nginx'], 'must be node or nginx').default('node'),
    NAMEPLATE_NGINX: z.string().default('/usr/sbin/nginx'),
    NAMEPLATE_EDGE_FOLDER: z.string().optional(),
    NAMEPLATE_EDGE_REPLICA: z.string().optional(),
    NAMEPLATE_EDGE_SOURCE: z.enum(['postgres', 'nats'], 'must be postgres or nats').default('postgres'),
    NATS_URL: natsServers.optional(),
    NAMEPLATE_NATS_CREDENTIALS_FILE: textFile.optional(),
    NAMEPLATE_NATS_CA_FILE: pemFile.optional(),
    NAMEPLATE_NATS_DOMAIN: natsName.optional(),
    NAMEPLATE_NATS_BUCKET: natsName.default('nameplate'),
    NAMEPLATE_NATS_REPLICAS: count(1, 5).default(3),
    NAMEPLATE_EDGE_STALE_HOURS: count(1, 720).default(24),
    NAMEPLATE_EDGE_HTTP3: yesOrNo.default(false),
    NAMEPLATE_ACCESS_LOG: accessLogTarget.optional(),
    NAMEPLATE_ACCESS_LOG_SAMPLE: sampleShare.default(1),
    NAMEPLATE_ACCESS_LOG_QUERY: yesOrNo.default(false),
    NAMEPLATE_EDGE_ORIGIN_TIMEOUT_SECONDS: count(1, 3600).default(60),
    NAMEPLATE_EDGE_PROCESSES: count(1, 256).default(1),
    NAMEPLATE_TRUSTED_PROXIES: proxyNetworks.default([]),
    NAMEPLATE_PROXY_PROTOCOL_FROM: networks.default([]),
    NAMEPLATE_API_PROXY_PROTOCOL_FROM: networks.default([]),
    NAMEPLATE_DNS_LISTEN: commaList(ipListenAddress).default([{ host: '127.0.0.1', port: 4553 }]),
    NAMEPLATE_DNS_SERVERS: dnsServers.optional(),
    NAMEPLATE_DNS_CONTACT: z.email(DNS_CONTACT_FORM).regex(DNS_CONTACT, DNS_CONTACT_FORM).optional(),
    NAMEPLATE_DNS_TTL_SECONDS: count(1, 86_400).default(300),
    NAMEPLATE_DNS_NEGATIVE_TTL_SECONDS: count(1, 3600).default(60),
    NAMEPLATE_DNS_PROBE_ADDRESSES: ipAddresses.optional(),
    NAMEPLATE_DNS_PROBE_PORT: count(1, 65_535).default(53),
    NAMEPLATE_DNS_CAA: commaList(dnsName).default([]),
    NAMEPLATE_ADMIN_LISTEN: listenAddress.default({ host: '127.0.0.1', port: 4502 }),
    NAMEPLATE_RESOLVERS: resolvers.default([...PUBLIC_RESOLVERS]),
    NAMEPLATE_CAS: caList.default([]),
    NAMEPLATE_CA_CONTACT: z.email('must be an email address, such as ops@example.net').optional(),
    NAMEPLATE_CA_ROOTS_FILE: pemFile.default([]),
    NAMEPLATE_REVOKE_ON_DELETE: yesOrNo.default(false),
    NAMEPLATE_EDGE_PROBE_ADDRESSES: ipAddresses.optional(),
    NAMEPLATE_EDGE_PROBE_PORTS: portPair.default([80, 443]),
    SMTP_URL: smtpUrl.optional(),
    NAMEPLATE_MAIL_FROM: z.email('must be an email address, such as domains@example.net').optional(),
    NAMEPLATE_DOMAIN_CONNECT_ID: dnsName.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_FILE: signingKeyFile.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_DOMAIN: dnsName.optional(),
    NAMEPLATE_DOMAIN_CONNECT_KEY_HOST: z
      .string()
      .regex(/^[a-z0-9_-]{1,63}$/, 'must be one label, such as _dck1')
      .default('_dck1'),
    NAMEPLATE_RATE_PER_SECOND: count(1, 100_000).default(BUDGETS.api.perSecond),
    NAMEPLATE_RATE_BURST: count(1, 1_000_000).default(BUDGETS.api.burst),
    NAMEPLATE_PLANS_FILE: planFile.optional(),
    NAMEPLATE_SIGN_UP: z.enum(['open', 'invite'], 'must be open or invite').default('invite'),
    NAMEPLATE_OPERATORS: commaList(
      z.email('must be email addresses, such as ops@example.net').toLowerCase(),
    ).default([]),
    NAMEPLATE_BILLING: z.enum(['none', 'stripe'], 'must be none or stripe').default('none'),
    NAMEPLATE_STRIPE_SECRET_KEY: stripeSecretKey.optional(),
    NAMEPLATE_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret.optional(),
    NAMEPLATE_STRIPE_API_URL: publicUrl.optional(),
    NAMEPLATE_OIDC_ISSUER: issuerUrl.optional(),
    NAMEPLATE_OIDC_CLIENT_ID: z.string().optional(),
    NAMEPLATE_OIDC_CLIENT_SECRET: z.string().optional(),
    NAMEPLATE_OIDC_DOMAINS: commaList(dnsName).optional(),
    NAMEPLATE_OIDC_NAME: z.string().max(40, 'must have at most 40 characters').optional(),
    NAMEPLATE_RETENTION_DAYS: count(1, 3650).default(30),
    NAMEPLATE_TRAFFIC_DAYS: count(1, 1100).default(400),
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
  .refine(
    (env) => !env.DATABASE_URL || env.NAMEPLATE_ENCRYPTION_KEYS || isOutside(env.NAMEPLATE_ROLES ?? []),
    {
      path: ['NAMEPLATE_ENCRYPTION_KEYS'],
      error:
        'is missing: secrets are stored encrypted. Set it to k1:<32 bytes in base64>; create a key with: openssl rand -base64 32',
      ...alwaysChecked,
    },
  )
  .refine(
    (env) =>
      !env.NAMEPLATE_ROLES?.includes('edge') ||
      !isOutside(env.NAMEPLATE_ROLES) ||
      env.NAMEPLATE_EDGE_KEYS ||
      env.NAMEPLATE_ENCRYPTION_KEYS,
    {
      path: ['NAMEPLATE_EDGE_KEYS'],
      error:
        'is missing: the edge opens its values with it. Print the setting on a node with the role api: nameplate service edge-keys export',
      ...alwaysChecked,
    },
  )
  .refine((env) => !followsDatabase(env) || env.DATABASE_URL, {
    path: ['DATABASE_URL'],
    error:
      'is missing: a relay, or an edge without NAMEPLATE_EDGE_SOURCE=nats, follows the database of the nodes with the roles api and worker',
    ...alwaysChecked,
  })
  .refine((env) => !followsNats(env) || env.NATS_URL, {
    path: ['NATS_URL'],
    error:
      'is missing: NAMEPLATE_EDGE_SOURCE=nats and the role relay need the addresses of NATS servers, such as nats://nats1.example.net:4222',
    ...alwaysChecked,
  })
  .refine(({ DATABASE_URL, DATABASE_LISTEN_URL }) => DATABASE_URL || !DATABASE_LISTEN_URL, {
    path: ['DATABASE_URL'],
    error: 'is missing: DATABASE_LISTEN_URL is only a second address of that database',
    ...alwaysChecked,
  })
  .refine(hasOwnAddresses, {
    path: ['NAMEPLATE_EDGE_ADDRESSES'],
    error:
      'must be addresses of this machine that NAMEPLATE_EDGE_IPV4 or NAMEPLATE_EDGE_IPV6 lists: add them there on every node',
    ...alwaysChecked,
  })
  .refine((env) => !env.NAMEPLATE_EDGE_HTTP3 || env.NAMEPLATE_EDGE_ENGINE === 'nginx', {
    path: ['NAMEPLATE_EDGE_HTTP3'],
    error: 'needs NAMEPLATE_EDGE_ENGINE=nginx: the built-in engine has no HTTP/3',
    ...alwaysChecked,
  })
  .refine(
    (env) => env.DATABASE_URL || env.NAMEPLATE_EDGE_PROCESSES === 1 || isOutside(env.NAMEPLATE_ROLES ?? []),
    {
      path: ['NAMEPLATE_EDGE_PROCESSES'],
      error: 'must be 1 without DATABASE_URL, because the embedded Postgres supports only one process',
      ...alwaysChecked,
    },
  )
  .refine(
    ({ NAMEPLATE_ROLES, NAMEPLATE_DNS_SERVERS }) =>
      !NAMEPLATE_ROLES?.includes('dns') || NAMEPLATE_DNS_SERVERS,
    {
      path: ['NAMEPLATE_DNS_SERVERS'],
      error:
        'is missing: the role dns needs the names of at least two servers, such as ns1.example.net,ns2.example.net',
      ...alwaysChecked,
    },
  )
  .superRefine((env, issues) => {
    const zones = [env.NAMEPLATE_EDGE_ZONE, env.NAMEPLATE_SANDBOX_ZONE];
    for (const { name, addresses } of env.NAMEPLATE_DNS_SERVERS ?? []) {
      if (addresses.length > 0 || !zones.some((zone) => isUnder(name, zone))) continue;
      issues.addIssue({
        code: 'custom',
        path: ['NAMEPLATE_DNS_SERVERS'],
        message: `must be followed by addresses for ${name}, because its zone is served here: ${name} 192.0.2.53`,
      });
    }
  })
  .refine(({ SMTP_URL, NAMEPLATE_MAIL_FROM }) => !SMTP_URL || NAMEPLATE_MAIL_FROM, {
    path: ['NAMEPLATE_MAIL_FROM'],
    error: 'is missing: mail needs a sender. Set it to an address, such as domains@example.net',
    ...alwaysChecked,
  })
  .refine((env) => env.NAMEPLATE_BILLING === 'none' || env.NAMEPLATE_STRIPE_SECRET_KEY, {
    path: ['NAMEPLATE_STRIPE_SECRET_KEY'],
    error: 'is missing: NAMEPLATE_BILLING=stripe needs a secret or restricted key of your Stripe account',
    ...alwaysChecked,
  })
  .refine((env) => env.NAMEPLATE_BILLING === 'none' || env.NAMEPLATE_STRIPE_WEBHOOK_SECRET, {
    path: ['NAMEPLATE_STRIPE_WEBHOOK_SECRET'],
    error: 'is missing: create a webhook endpoint at Stripe and set its signing secret',
    ...alwaysChecked,
  })
  .refine(isWholeProvider, {
    path: ['NAMEPLATE_OIDC_ISSUER'],
    error:
      'and NAMEPLATE_OIDC_CLIENT_ID, NAMEPLATE_OIDC_CLIENT_SECRET and NAMEPLATE_OIDC_DOMAINS belong together: set all four or none',
    ...alwaysChecked,
  })
  .refine(
    ({ NAMEPLATE_OIDC_ISSUER, NAMEPLATE_BASE_URL }) =>
      isSafeIssuer(NAMEPLATE_OIDC_ISSUER, NAMEPLATE_BASE_URL),
    {
      path: ['NAMEPLATE_OIDC_ISSUER'],
      error:
        'must be an https address; plain HTTP works only if the issuer and NAMEPLATE_BASE_URL are this machine',
    },
  )
  .refine(
    ({ NAMEPLATE_DOMAIN_CONNECT_ID, NAMEPLATE_DOMAIN_CONNECT_KEY_FILE }) =>
      !NAMEPLATE_DOMAIN_CONNECT_ID === !NAMEPLATE_DOMAIN_CONNECT_KEY_FILE,
    {
      path: ['NAMEPLATE_DOMAIN_CONNECT_KEY_FILE'],
      error: 'and NAMEPLATE_DOMAIN_CONNECT_ID belong together: set both or neither',
      ...alwaysChecked,
    },
  )
  .refine(
    ({ NAMEPLATE_EDGE_ZONE, NAMEPLATE_SANDBOX_ZONE }) => NAMEPLATE_EDGE_ZONE !== NAMEPLATE_SANDBOX_ZONE,
    {
      path: ['NAMEPLATE_SANDBOX_ZONE'],
      error:
        'must be a different zone from NAMEPLATE_EDGE_ZONE: the edge zone has DNS targets, the sandbox zone has test domains',
    },
  );

export type Environment = z.output<typeof environmentSchema>;
