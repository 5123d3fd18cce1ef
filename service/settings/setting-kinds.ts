import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import pg from 'pg';
import * as z from 'zod';
import { readName } from '../../shared/core/domains/hostname.ts';
import { CLOUDFLARE_RANGES } from '../../shared/core/edge/cloudflare-addresses.ts';
import { isNetwork } from '../../shared/core/net/address-set.ts';
import { readSigningKey } from '../../shared/core/providers/domain-connect.ts';
import { CONFIRMING, resolverServer } from '../../shared/dns/resolvers.ts';

/** The key ring: the id of the key that encrypts new secrets, and all keys by id. */
export interface EncryptionKeys {
  current: string;
  keys: ReadonlyMap<string, Uint8Array>;
}

export interface ListenAddress {
  host: string;
  port: number;
}

const PORT_MAX = 65_535;

export const dnsName = z.string().transform((text, issues) => {
  const known = readName(text);
  if (known.ok) return known.name;
  issues.addIssue(`must be a DNS name, such as edge.example.net: ${known.problem}`);
  return z.NEVER;
});

export const commaList = <T extends z.ZodType<unknown, string>>(item: T) =>
  z.string().transform(splitByCommas).pipe(z.array(item).min(1));

export const ipv4Addresses = commaList(z.ipv4('must be IPv4 addresses separated by commas'));

const IP_FORM = 'must be IP addresses separated by commas';
export const ipAddresses = commaList(z.union([z.ipv4(), z.ipv6()], IP_FORM));

/** IPv6 addresses. `none` means an empty list, because an edge may have no IPv6 address. */
export const ipv6Addresses = z
  .string()
  .transform((text) => (text === 'none' ? [] : splitByCommas(text)))
  .pipe(z.array(z.ipv6('must be IPv6 addresses separated by commas, or none')));

const NETWORKS_FORM = 'must be addresses or networks separated by commas, such as 192.0.2.10,2001:db8::/48';

export const networks = commaList(z.string().refine(isNetwork, NETWORKS_FORM));

/** Networks. `cloudflare` means the address ranges that Cloudflare publishes. */
export const proxyNetworks = commaList(
  z
    .string()
    .refine((text) => text === 'cloudflare' || isNetwork(text), `${NETWORKS_FORM}, or the name cloudflare`),
).transform((all) => all.flatMap((each) => (each === 'cloudflare' ? CLOUDFLARE_RANGES : [each])));

export const count = (min: number, max: number) => {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, range)
    .transform(Number)
    .pipe(z.number().min(min, range).max(max, range));
};

export const yesOrNo = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

/** A public URL. Only an origin and a path are allowed, because the URL is printed, and paths are appended to it. */
export const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.net', abort: true })
  .refine((text) => isPlain(new URL(text)), {
    error: 'must be an address without a user, a query or a fragment, such as https://api.example.net',
    abort: true,
  })
  .transform((text) => text.replace(/\/+$/, ''));

export const listenAddress = z
  .string()
  .regex(/^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/, 'must be host:port, such as 0.0.0.0:8080')
  .transform((text): ListenAddress => {
    const at = text.lastIndexOf(':');
    return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
  })
  .refine(({ port }) => port <= PORT_MAX, `has a port over ${PORT_MAX}`);

/** An IP address with a port. A DNS server must respond from the address to which the query was sent, so it cannot listen on a hostname. */
export const ipListenAddress = listenAddress.refine(
  ({ host }) => isIP(host) !== 0,
  'must be IP addresses with ports, such as 192.0.2.53:53,[2001:db8::53]:53',
);

/** The names for NS records, each followed by its IP addresses. */
export const dnsServers = z
  .string()
  .transform((text, issues) =>
    splitByCommas(text).map((each) => {
      const [given = '', ...addresses] = each.split(/\s+/);
      const known = readName(given);
      const isRead = known.ok && addresses.every((address) => isIP(address) !== 0);
      if (!isRead) issues.addIssue(DNS_SERVERS_FORM);
      return { name: known.ok ? known.name : '', addresses };
    }),
  )
  .refine((servers) => new Set(servers.map(({ name }) => name)).size >= 2, {
    error: 'must be at least two different names: a zone with one server fails with it (RFC 2182)',
  });

const DNS_SERVERS_FORM =
  'must be names separated by commas, each with its addresses: ns1.example.net 192.0.2.53,ns2.example.net 198.51.100.53';

/** Two ports: HTTP and HTTPS. */
export const portPair = z
  .string()
  .regex(/^\d{1,5},\d{1,5}$/, 'must be two ports, for HTTP and HTTPS, such as 80,443')
  .transform((text): [number, number] => {
    const [http = 0, https = 0] = text.split(',').map(Number);
    return [http, https];
  })
  .refine((ports) => ports.every((port) => port >= 1 && port <= PORT_MAX), `has a port over ${PORT_MAX}`);

export const postgresUrl = z
  .string()
  .refine((text) => /^postgres(?:ql)?:\/\//.test(text) && isReadByDriver(text), {
    error:
      'must be a Postgres address: postgres://user:password@host:5432/name, with special characters percent-encoded',
  });

export const smtpUrl = z
  .url({
    protocol: /^smtps?$/,
    abort: true,
    error:
      'must be a mail server: smtp://user:password@mail.example.net:587, or smtps:// for implicit TLS, with special characters percent-encoded',
  })
  .refine((text) => new URL(text).hostname !== '', 'must be a mail server with a host');

/** Stripe's secret key. The error message does not repeat the value, because it is a secret. */
export const stripeSecretKey = z
  .string()
  .regex(/^(?:sk|rk)_(?:test|live)_\w+$/, 'must be a key of Stripe that starts with sk_ or rk_');
export const stripeWebhookSecret = z
  .string()
  .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, which starts with whsec_');

/** Reads the file with a private key immediately, so that an invalid key is reported before the node starts. */
export const signingKeyFile = z.string().transform((file, issues) => {
  try {
    return readSigningKey(readFileSync(file, 'utf8'));
  } catch (error) {
    const isKey = error instanceof RangeError;
    issues.addIssue(
      isKey
        ? `names a file whose content ${error.message}`
        : 'names a file that cannot be read: check its path and its permissions',
    );
    return z.NEVER;
  }
});

/** The three resolvers that must all confirm a record, followed by spare resolvers. */
export const resolvers = commaList(
  z
    .string()
    .refine(
      (text) => resolverOf(text) !== null,
      'must be IP addresses separated by commas, with a port if it is not 53: [2001:db8::1]:5353',
    ),
).refine(
  (all) => all.length >= CONFIRMING && new Set(all.map(resolverOf)).size === all.length,
  'must be at least three different resolvers: three must confirm a record, and any others are spares',
);

export const keyRing = z.string().transform((text, issues): EncryptionKeys => {
  const keys = new Map<string, Uint8Array>();
  let current = '';
  for (const part of text.split(',')) {
    const [, id, encoded] = /^\s*([A-Za-z0-9-]{1,32}):([A-Za-z0-9+/_=-]+)\s*$/.exec(part) ?? [];
    const bytes = Buffer.from(encoded ?? '', 'base64');
    if (id === undefined || bytes.length !== 32 || keys.has(id)) {
      issues.addIssue(
        'must be <id>:<32 bytes in base64>, several separated by commas: the first one encrypts; create a key with: openssl rand -base64 32',
      );
      return z.NEVER;
    }
    keys.set(id, bytes);
    current ||= id;
  }
  return { current, keys };
});

function isPlain({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}

/** Returns true if the Postgres driver can parse the address, and can read the certificate files that the address names. */
function isReadByDriver(connectionString: string): boolean {
  try {
    new pg.Client({ connectionString });
    return true;
  } catch {
    return false; // The driver's message may contain the address with the password.
  }
}

/** Returns a resolver's address and port in a normalized form, or null if the text is not the address of a resolver. */
function resolverOf(text: string): string | null {
  try {
    const { ip, port } = resolverServer(text).address;
    return `${new URL(`http://${ip.includes(':') ? `[${ip}]` : ip}`).hostname} ${port}`;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function splitByCommas(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}
