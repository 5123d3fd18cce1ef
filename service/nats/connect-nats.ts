import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../shared/ports/system.ts';

/** How a node reaches NATS. */
export interface NatsSettings {
  /** Addresses of servers: `nats://host:port`, or `tls://host:port`. */
  servers: readonly string[];
  user: string | null;
  password: string | null;
  /** Content of the credentials file of a decentralized account; null if the servers need none. */
  credentials: string | null;
  /** PEM root certificates for servers whose certificate no public authority issued; null to trust the system's. */
  caRoots: string | null;
  /** The JetStream domain of the servers that have the bucket; null if they have none. */
  domain: string | null;
  /** The bucket of the installation. Its stream is `KV_<bucket>`. */
  bucket: string;
  /** The number of servers that keep a copy of the bucket. */
  replicas: number;
}

export interface NatsOptions extends NatsSettings {
  /** Name of this node. Replies arrive at `_INBOX_<node>.>`, with `_` in place of each dot. */
  node: string;
  log: Log;
}

/** The interval of pings. After two pings without an answer, the client connects to another server. */
const PING_MS = 2_000;
const RETRY_MS = 250;
const TIMEOUT_MS = 2_000;
/** The kinds of refusals that a process logs. A node repeats a refused request several times a second. */
const REFUSALS_MAX = 20;

/**
 * Connects to NATS, and connects again for as long as the process runs. Resolves once the first connection is open.
 * @param signal ends the attempts to connect.
 */
export async function connectNats(options: NatsOptions, signal: AbortSignal): Promise<NatsConnection> {
  const { servers, user, password, credentials, caRoots, node, log } = options;
  const told = new Set<string>();
  for (;;) {
    try {
      const connection = await connect({
        servers: [...servers],
        name: `nameplate ${node}`,
        inboxPrefix: inboxOf(node),
        timeout: TIMEOUT_MS,
        reconnectTimeWait: RETRY_MS,
        maxReconnectAttempts: -1,
        pingInterval: PING_MS,
        maxPingOut: 2,
        // The credentials of an edge may be revoked and granted again.
        ignoreAuthErrorAbort: true,
        ...(user !== null && { user }),
        ...(password !== null && { pass: password }),
        ...(credentials !== null && {
          authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
        }),
        ...(caRoots === null ? servers.some(isTls) && { tls: {} } : { tls: { ca: caRoots } }),
      });
      void logStatus(connection, log);
      return connection;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!told.has(refusalText(error)))
        log.warn(
          { error },
          'NATS does not accept the connection, and this node tries again: if the servers run, check NATS_URL, its user and its password, and NAMEPLATE_NATS_CA_FILE',
        );
      told.add(refusalText(error));
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Returns the prefix of the subjects at which a node receives replies. */
export function inboxOf(node: string): string {
  return `_INBOX_${subjectToken(node)}`;
}

/** Returns the name of a node as one part of a subject. */
export function subjectToken(node: string): string {
  return node.replaceAll('.', '_');
}

/** Returns the message of an error. Leaves out the end of a subject for replies, which differs each time. */
export function refusalText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/(_INBOX_[^."]*)\.[^"]*/g, '$1.>');
}

const isTls = (server: string) => server.startsWith('tls://');

async function logStatus(connection: NatsConnection, log: Log): Promise<void> {
  const refused = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn({ server: status.server }, 'the connection to NATS broke');
    else if (status.type === 'reconnect') log.info({ server: status.server }, 'NATS is connected again');
    else if (
      status.type === 'error' &&
      !refused.has(refusalText(status.error)) &&
      refused.size < REFUSALS_MAX
    ) {
      refused.add(refusalText(status.error));
      log.error(
        { error: status.error },
        'NATS refused a request: compare the permissions of this user with the guide, and the name in them with NAMEPLATE_EDGE_NODE',
      );
    }
  }
}
