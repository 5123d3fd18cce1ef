import { Readable } from 'node:stream';
import { run } from '../../bin/main.ts';
import type { World } from '../../cli/settings/world.ts';
import { readConfig, type ServiceConfig } from '../../service/config.ts';
import { createJsonLog, type LogDestination } from '../../service/health/json-log.ts';
import { type ServiceNode, startNode } from '../../service/node.ts';
import type { EncryptionKeys } from '../../service/settings/setting-kinds.ts';
import { createDatabase, type TestDatabase } from '../fixtures/postgres/postgres.ts';
import { replicaFolder } from '../fixtures/replica-folder.ts';

/** A deployment for one test: a database, its settings, operator commands, and nodes on free ports. */
export interface Deployment extends AsyncDisposable {
  env: Record<string, string>;
  database: TestDatabase;
  /** Runs an operator command in this process. */
  service(argv: readonly string[], env?: Record<string, string>): Promise<ServiceRun>;
  /** Runs an operator command with `--json`. */
  json(argv: readonly string[], env?: Record<string, string>): Promise<{ exit: number; document: Document }>;
  start(options?: { env?: Record<string, string>; logTo?: LogDestination }): Promise<RunningNode>;
}

export interface ServiceRun {
  exit: number;
  stdout: string;
  stderr: string;
}

export interface RunningNode extends AsyncDisposable {
  node: ServiceNode;
  api_url: string;
  /** Plain HTTP address of the edge. */
  edge_url: string;
  admin_url: string;
}

/** The fields of a JSON document of an operator command that tests read. */
export interface Document {
  account: { id: string; plan: string; suspended: boolean; trial_ends_at: string | null };
  app_id: string;
  test_key: string;
  live_key: string;
  signing_secret: string;
  data: Record<string, unknown>[];
  done: string[];
  error: { code: string; message: string; fix: string; exit: number; status_detail: unknown };
  [field: string]: unknown;
}

export const KEYS = {
  k1: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  k2: `k2:${Buffer.alloc(32, 2).toString('base64')}`,
};

const FREE_PORTS = {
  NAMEPLATE_API_LISTEN: '127.0.0.1:0',
  NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
  NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
  NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
};

/** Creates a deployment. @param migrated false for an empty database, as on a new server. */
export async function createDeployment({ migrated = true } = {}): Promise<Deployment> {
  const database = await createDatabase();
  const env = {
    DATABASE_URL: database.url,
    NAMEPLATE_ENCRYPTION_KEYS: KEYS.k1,
    NAMEPLATE_OPERATOR: 'ada@example.net',
    // Must not be a loopback address: the service never sends to its own edge, and a test's receivers are on loopback.
    NAMEPLATE_EDGE_IPV4: '192.0.2.1',
    NAMEPLATE_EDGE_IPV6: '2001:db8::1',
    NAMEPLATE_EDGE_REPLICA: replicaFolder(),
    ...FREE_PORTS,
  };
  const deployment: Deployment = {
    env,
    database,
    service: (argv, more) => runService(argv, { ...env, ...more }),
    async json(argv, more) {
      const { exit, stdout } = await runService([...argv, '--json'], { ...env, ...more });
      return { exit, document: JSON.parse(stdout) };
    },
    async start({ env: more, logTo } = {}) {
      const config = onLoopback(readConfig({ ...env, ...more }));
      const node = await startNode(config, createJsonLog('trace', logTo ?? { write: () => undefined }));
      const urlOf = (port: number | undefined) => `http://127.0.0.1:${port}`;
      const { api, edgeHttp, admin } = node.addresses;
      return {
        node,
        api_url: urlOf(api?.port),
        edge_url: urlOf(edgeHttp?.port),
        admin_url: urlOf(admin.port),
        [Symbol.asyncDispose]: node.stop,
      };
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
  if (migrated) await deployment.service(['migrate']);
  return deployment;
}

/** Allows webhooks and origins on loopback, where a test's receivers are. */
function onLoopback(config: ServiceConfig): ServiceConfig {
  return { ...config, settings: { ...config.settings, allowLoopback: true } };
}

export async function runService(argv: readonly string[], env: Record<string, string>): Promise<ServiceRun> {
  const result: ServiceRun = { exit: 0, stdout: '', stderr: '' };
  const world: World = {
    env,
    cwd: '/',
    stdin: Readable.from([]),
    stdout: {
      write(text) {
        result.stdout += text;
      },
    },
    stderr: {
      write(text) {
        result.stderr += text;
      },
    },
    elapsedMs: () => 0,
    sleep: async () => undefined,
    onInterrupt: () => () => undefined,
    stopJob: () => undefined,
    exit(code) {
      throw new Error(`the command exited with ${code}`);
    },
  };
  result.exit = await run(['service', ...argv], world);
  return result;
}

export function ringOf(config: { encryptionKeys: EncryptionKeys | null }): string[] {
  return [...(config.encryptionKeys?.keys.keys() ?? [])];
}

/** Sends an API request. */
export async function api(
  url: string,
  key: string,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: { id: string; [field: string]: unknown } }> {
  const [method = '', path = ''] = call.split(' ');
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}
