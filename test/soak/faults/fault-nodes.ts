import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { edgeRingOf, ringText } from '../../../service/settings/key-rings.ts';
import { BIN, emptyHome } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { KEY_RING, testConfig } from '../../service/settings/test-config.ts';
import { type Gate, openGate } from './gate.ts';

const LOAD_TSX = ['--import', new URL('../../fixtures/load-tsx.ts', import.meta.url).href];

/** A node in its own process, which reaches Postgres through its own `Gate`. After a restart, the node has the same ports. */
export interface FaultNode extends AsyncDisposable {
  name: string;
  gate: Gate;
  /** Whether the node has an API. An edge on a machine of its own has none. */
  hasApi: boolean;
  apiUrl: string;
  adminUrl: string;
  edgePort: number;
  /** The folder of the edge's replica. */
  replica: string;
  /** The node's log, as lines of JSON. */
  lines: string[];
  /** False after a kill or a stop, until the node has started again. */
  isUp: boolean;
  start(): Promise<void>;
  /** Ends the node's main process. @param signal SIGTERM stops the node cleanly. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  signal(signal: NodeJS.Signals, pid?: number): void;
  /** Returns the JSON of `/readyz` and the status of `/readyz/edge`. Each is null if no response comes within 4 seconds. */
  health(): Promise<Health>;
}

export interface Health {
  ready: { status: number; state: Record<string, unknown> } | null;
  edge: number | null;
  /** The status of `/readyz/edge` at the port for visitors; null without a response. */
  port: number | null;
}

const HEALTH_MS_MAX = 4_000;
/** A node takes less time than this to drain. */
const STOP_MS_MAX = 30_000;

export const KINDS = ['built-in', 'two processes', 'nginx'] as const;

/** The settings of an edge without encryption keys: the name of its database role, and the address of the API. */
export interface OutsideOptions {
  role: string;
  innerUrl: string;
}

/** @param outside if set, the node is an edge on a machine of its own, whatever its kind. */
export async function createNode(
  kind: (typeof KINDS)[number],
  postgresPort: number,
  outside?: OutsideOptions,
): Promise<FaultNode> {
  const gate = await openGate(postgresPort);
  const replica = path.join(emptyFolder(), 'edge');
  const ports = {
    api: await freePort(),
    admin: await freePort(),
    edge: await freePort(),
    plain: await freePort(),
  };
  const at = (port: number) => `127.0.0.1:${port}`;
  const env: Record<string, string> = {
    ...emptyHome(),
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: `postgres://postgres@127.0.0.1:${gate.port}/postgres`,
    NAMEPLATE_ENCRYPTION_KEYS: KEY_RING,
    NAMEPLATE_EDGE_IPV4: '203.0.113.10',
    NAMEPLATE_EDGE_IPV6: '2001:db8::10',
    NAMEPLATE_API_LISTEN: at(ports.api),
    NAMEPLATE_ADMIN_LISTEN: at(ports.admin),
    NAMEPLATE_EDGE_LISTEN: at(ports.edge),
    NAMEPLATE_EDGE_HTTP_LISTEN: at(ports.plain),
    NAMEPLATE_EDGE_REPLICA: replica,
    NAMEPLATE_RATE_PER_SECOND: '100000',
    NAMEPLATE_RATE_BURST: '1000000',
    // No resolver listens at these addresses. So DNS checks have no result, and live domains keep their status.
    NAMEPLATE_RESOLVERS: '127.0.0.1:9,127.0.0.2:9,127.0.0.3:9',
    NAMEPLATE_ROLES: kind === 'two processes' ? 'api,edge' : 'api,worker,edge',
    ...(kind === 'two processes' && { NAMEPLATE_EDGE_PROCESSES: '2' }),
    ...(kind === 'nginx' && {
      NAMEPLATE_EDGE_ENGINE: 'nginx',
      NAMEPLATE_EDGE_FOLDER: path.join(emptyFolder(), 'nginx'),
    }),
    ...(outside && {
      DATABASE_URL: `postgres://${outside.role}@127.0.0.1:${gate.port}/postgres`,
      NAMEPLATE_ENCRYPTION_KEYS: '',
      NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(testConfig('postgres://unused'))),
      NAMEPLATE_INNER_URL: outside.innerUrl,
      NAMEPLATE_ROLES: 'edge',
    }),
  };
  let child: ChildProcess | null = null;
  const start = async () => {
    const program = new URL('./fault-node.ts', import.meta.url);
    child =
      kind === 'two processes'
        ? spawn(process.execPath, [BIN, 'service', 'start', '--json'], {
            env,
            stdio: ['ignore', 'pipe', 'pipe'],
          })
        : fork(program, { env, execArgv: LOAD_TSX, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let rest = '';
    child.stderr?.on('data', (data) => {
      const lines = `${rest}${data}`.split('\n');
      rest = lines.pop() ?? '';
      node.lines.push(...lines);
    });
    const started =
      kind === 'two processes' ? once(child.stdout as NodeJS.EventEmitter, 'data') : once(child, 'message');
    child.stdout?.resume();
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${kind} ended before it listened: ${node.lines.slice(-30).join('\n')}`);
    });
    ended.catch(() => undefined); // The end of a node that had started is the fault under test.
    await Promise.race([started, ended]);
    node.isUp = true;
  };
  const node: FaultNode = {
    name: outside ? 'outside' : kind,
    gate,
    hasApi: outside === undefined,
    apiUrl: `http://${at(ports.api)}`,
    adminUrl: `http://${at(ports.admin)}`,
    edgePort: ports.edge,
    replica,
    lines: [],
    isUp: false,
    start,
    async end(signal) {
      node.isUp = false;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    signal: (signal, pid = child?.pid ?? 0) => void process.kill(pid, signal),
    async health() {
      const get = (url: string) =>
        fetch(url, { signal: AbortSignal.timeout(HEALTH_MS_MAX) }).catch(() => null);
      const [ready, edge, port] = await Promise.all([
        get(`${node.adminUrl}/readyz`),
        get(`${node.adminUrl}/readyz/edge`),
        get(`http://${at(ports.plain)}/readyz/edge`),
      ]);
      const state = await ready?.json().catch(() => null);
      return {
        ready: ready && state ? { status: ready.status, state } : null,
        edge: edge?.status ?? null,
        port: port?.status ?? null,
      };
    },
    async [Symbol.asyncDispose]() {
      // Ends the node cleanly if possible, because a killed node would leave its nginx running.
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_MS_MAX);
      await node.end('SIGTERM');
      clearTimeout(late);
      await gate[Symbol.asyncDispose]();
    },
  };
  return node;
}
