import path from 'node:path';
import { emptyHome, startBin } from '../cli/bin-process.ts';
import { HOST } from '../edge/edge-under-test.ts';
import { replicaFolder } from '../fixtures/replica-folder.ts';
import { startEmulatorProcess } from '../journey/emulator-process.ts';
import { RunningNode } from '../service/cluster/cluster.ts';
import { api } from '../service/run-service.ts';
import { KEY_RING } from '../service/settings/test-config.ts';
import { HELLO, startHostileOrigin } from './origin.ts';
import type { PortName } from './script.ts';
import { APEX, createServiceScene } from './service-scene.ts';

/** A process to which hostile visitors connect. */
export interface Target extends AsyncDisposable {
  pid: number;
  ports: Readonly<Partial<Record<PortName, number>>>;
  /** Hostnames with an origin, by the port that serves them. */
  hosts: Readonly<Partial<Record<PortName, string>>>;
  /** An API key for hostile visitors. */
  key: string;
  /** An API key for good visitors. It belongs to another app, which has one domain. */
  neighbourKey: string;
  /** The request of good visitors to the edge, by port. */
  visits: { edge: GoodVisit; edgeHttp: GoodVisit };
  /** True if the origin behind the edge echoes WebSockets. */
  tunnels: boolean;
  /** Returns the process's output on standard error. */
  said(): string;
  /** Closes idle connections between the edge and its origin. */
  closeIdle(): void;
}

export interface GoodVisit {
  host: string;
  isRight(response: SeenResponse): boolean;
}

export interface SeenResponse {
  status: number | undefined;
  location: string | undefined;
  body: string;
}

const fromOrigin: GoodVisit['isRight'] = ({ status, body }) => status === 200 && body === HELLO;
const fromSandbox: GoodVisit['isRight'] = ({ status, body }) =>
  status === 200 && JSON.parse(body).signature.verified === true;
const fromRedirect: GoodVisit['isRight'] = ({ status, location = '' }) =>
  status === 308 && location.startsWith(`https://${APEX}`);

/** An environment that makes a process collect garbage on SIGUSR2. */
const PRELOAD = { NODE_OPTIONS: `--require ${path.join(import.meta.dirname, 'collect-garbage.cjs')}` };

/** Starts `service start` of the built binary. It refuses origins on loopback, so its edge forwards only requests for the test domain. */
export async function startService(): Promise<Target> {
  await using stack = new AsyncDisposableStack();
  const { env, liveKey, neighbourKey, testHost } = await createServiceScene(stack, null);
  const bin = stack.use(
    startBin(['service', 'start', '--json'], {
      ...emptyHome(),
      ...PRELOAD,
      ...env,
      NAMEPLATE_ENCRYPTION_KEYS: KEY_RING,
      NAMEPLATE_EDGE_REPLICA: replicaFolder(),
      NAMEPLATE_API_LISTEN: '127.0.0.1:0',
      NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
      NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
      NAMEPLATE_LOG_LEVEL: 'warn',
    }),
  );
  await bin.untilStdout(/\n\}\n/);
  const { api_url, edge_url, edge_http_url, admin_url } = JSON.parse(bin.stdout());
  return owning(stack, {
    pid: bin.child.pid ?? 0,
    ports: {
      api: portOf(api_url),
      edge: portOf(edge_url),
      edgeHttp: portOf(edge_http_url),
      admin: portOf(admin_url),
    },
    hosts: { edge: HOST, edgeHttp: testHost },
    key: liveKey,
    neighbourKey,
    visits: {
      edge: { host: `www.${APEX}`, isRight: fromRedirect },
      edgeHttp: { host: testHost, isRight: fromSandbox },
    },
    tunnels: false,
    said: bin.stderr,
    closeIdle: () => undefined,
  });
}

/** Starts a node like `service start`, but with origins on loopback allowed, so that requests and WebSockets reach an origin. */
export async function startServiceNode(): Promise<Target> {
  await using stack = new AsyncDisposableStack();
  const origin = stack.use(await startHostileOrigin());
  const { env, liveKey, neighbourKey, testHost } = await createServiceScene(stack, origin.url);
  const node = stack.use(new RunningNode({ ...PRELOAD, ...env }));
  await node.start();
  const { addresses } = node;
  if (addresses === null) throw new Error('the node does not listen');
  return owning(stack, {
    pid: node.pid ?? 0,
    ports: {
      api: portOf(addresses.api_url),
      edge: addresses.edge_port ?? 0,
      edgeHttp: addresses.edge_http_port ?? 0,
      admin: portOf(addresses.admin_url),
    },
    hosts: { edge: HOST, edgeHttp: testHost },
    key: liveKey,
    neighbourKey,
    visits: {
      edge: { host: HOST, isRight: fromOrigin },
      edgeHttp: { host: testHost, isRight: fromOrigin },
    },
    tunnels: true,
    said: () => node.said,
    closeIdle: origin.closeIdle,
  });
}

/** Starts `emulator start` of the built binary, which serves HTTP, HTTPS and HTTP/2 on one port of its edge. */
export async function startEmulator(): Promise<Target> {
  await using stack = new AsyncDisposableStack();
  const origin = stack.use(await startHostileOrigin());
  const flags = ['--port', '0', '--edge-port', '0', '--ephemeral', '--origin', origin.url];
  const emulator = stack.use(await startEmulatorProcess(flags, { ...emptyHome(), ...PRELOAD }));
  await emulator.api('POST /domains', { hostname: HOST });
  const { test_key } = await emulator.control('POST /apps', { name: 'Neighbour' });
  const neighbourKey = String(test_key);
  await api(emulator.url, neighbourKey, 'POST /domains', { hostname: 'neighbour.example.com' });
  await emulator.control('POST /clock/advance', { until: 'idle' });
  const edge = portOf(emulator.edge_url);
  return owning(stack, {
    pid: emulator.bin.child.pid ?? 0,
    ports: { api: portOf(emulator.url), edge, edgeHttp: edge, sandbox: portOf(emulator.sandbox_origin) },
    hosts: { edge: HOST, edgeHttp: HOST },
    key: emulator.test_key,
    neighbourKey,
    visits: {
      edge: { host: HOST, isRight: fromOrigin },
      edgeHttp: { host: HOST, isRight: fromOrigin },
    },
    tunnels: true,
    said: emulator.bin.stderr,
    closeIdle: origin.closeIdle,
  });
}

function owning(stack: AsyncDisposableStack, target: Omit<Target, typeof Symbol.asyncDispose>): Target {
  const owned = stack.move();
  return { ...target, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
