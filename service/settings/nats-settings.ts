import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { NatsSettings } from '../nats/connect-nats.ts';
import type { Environment } from './environment.ts';

const FORM =
  'must be addresses of NATS servers, all with nats:// or all with tls://, separated by commas, such as tls://nats1.example.net:4222,tls://nats2.example.net:4222';

const ONE_USER =
  'must name one user: put the name and the password in the first address only, because a node uses them on all servers';

/** Parses addresses of servers. The first one may name a user. The others name nobody, or the same user. */
export const natsServers = z.string().transform((text, issues) => {
  const urls = text.split(',').map((each) => URL.parse(each.trim()));
  const known = urls.filter(
    (url) => url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== '',
  );
  if (known.length < urls.length || new Set(known.map((url) => url?.protocol)).size !== 1) {
    issues.addIssue(FORM);
    return z.NEVER;
  }
  const [first, ...others] = known;
  const userOf = (url: URL | null | undefined) => `${url?.username}:${url?.password}`;
  if (others.some((url) => ![':', userOf(first)].includes(userOf(url)))) {
    issues.addIssue(ONE_USER);
    return z.NEVER;
  }
  return {
    servers: known.map((url) => `${url?.protocol}//${url?.host}`),
    user: first?.username ? decodeURIComponent(first.username) : null,
    password: first?.password ? decodeURIComponent(first.password) : null,
  };
});

/** The name of a bucket or of a JetStream domain. It is a part of subjects. */
export const natsName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be at most 32 letters, digits, hyphens and underscores');

/** Content of a text file that a setting names. */
export const textFile = z.string().transform((path, issues) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    issues.addIssue('names a file that cannot be read: check its path and its permissions');
    return z.NEVER;
  }
});

/** Returns how to reach NATS; null if the environment names no server. */
export function natsSettings(env: Environment): NatsSettings | null {
  if (env.NATS_URL === undefined) return null;
  return {
    ...env.NATS_URL,
    credentials: env.NAMEPLATE_NATS_CREDENTIALS_FILE ?? null,
    caRoots: env.NAMEPLATE_NATS_CA_FILE?.join('\n') ?? null,
    domain: env.NAMEPLATE_NATS_DOMAIN ?? null,
    bucket: env.NAMEPLATE_NATS_BUCKET,
    replicas: env.NAMEPLATE_NATS_REPLICAS,
  };
}
