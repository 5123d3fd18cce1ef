import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'h3';
import { serveConnect } from '../shared/connect/serve-connect.ts';
import { createEdge } from '../shared/edge/edge-server.ts';
import { createSandboxOrigin } from '../shared/edge/sandbox-origin.ts';
import { createApi } from '../shared/http/api.ts';
import { createApiServer, type Served } from '../shared/http/api-server.ts';
import { findEdgeRoute } from '../shared/operations/find-edge-route.ts';
import { findSigningSecrets } from '../shared/operations/signing-secrets.ts';
import { createGuard } from '../shared/ports/guarded-connect.ts';
import { hostsLookup } from '../shared/ports/host-addresses.ts';
import { createApiChaos } from './api-chaos.ts';
import { guardBrowser } from './control/browser-guard.ts';
import { type ControlSurface, controlFailure, serveControl } from './control/serve-control.ts';
import type { Emulator } from './emulator.ts';
import { checkNode, checkOptions, type EmulatorOptions } from './emulator-options.ts';
import { createHandle } from './handle.ts';
import { type Composition, composeEmulator } from './main.ts';
import { type SeedRead, seedSource } from './seed/seed-source.ts';
import { stderrLog } from './stderr-log.ts';
import { type ExpectedOutcome, testOutcomes } from './test-outcomes.ts';
import type { EmulatorUrls } from './urls.ts';

/** What a program that imports this package's emulator also gets. */
export type { Emulator, EmulatorOptions, ExpectedOutcome };

/** Every test hostname with what comes of it, the ordinary one first: a fixture for a team's own tests. */
export const TEST_OUTCOMES: readonly ExpectedOutcome[] = testOutcomes();

const HOST = '127.0.0.1';

/**
 * Starts the whole service in this process, on loopback: API, edge, sandbox origin and control surface.
 * @throws Error with `code` EADDRINUSE where a port is taken, or from SQLite where the file is in use or cannot be opened;
 *   TypeError for an option that there is not; SeedError for a seed file, with its lines.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkNode(process.version);
  checkOptions(options);
  const log = options.log ?? stderrLog;
  const source = options.seed === undefined ? null : seedSource(options.seed);
  // Before anything is opened: a slip in the file is told at once.
  const first_seed = (await source?.read()) ?? null;
  // The port comes first: it stands in every address that the service gives out.
  const ready = Promise.withResolvers<Served>();
  // Whoever polls for the emulator may come before it can answer.
  const api = createApiServer(ready.promise);
  const port = await listen(api, options.port ?? 0);
  const url = `http://${HOST}:${port}`;
  const emulator = await composeEmulator({
    file: options.file ?? null,
    origin: options.origin ?? null,
    webhook: options.webhook ?? null,
    clock_mode: options.clock ?? null,
    base_url: url,
    id_seed: options.seed_ids === undefined ? null : String(options.seed_ids),
    log,
  }).catch(async (error: unknown) => {
    await closeServer(api);
    throw error;
  });
  const sandbox = createServer(sandboxOrigin(emulator));
  const guard = createGuard({
    allow_loopback: true,
    refused_addresses: [],
    lookup: hostsLookup,
    connect_timeout_ms: 10_000,
  });
  const sandbox_origin = `http://${HOST}:${await listen(sandbox, 0)}`;
  const edge = createEdge({
    find_route: (hostname) => findEdgeRoute(emulator.context, hostname),
    names: emulator.context.settings.names,
    wall_clock: emulator.context.wall_clock,
    ids: emulator.context.ids,
    scheme: 'http',
    connect: guard.connect,
    sandbox_origin,
    localhost_suffix: true,
    on_request: emulator.requests.note,
    on_failure: ({ error, ...fields }) =>
      log.warn({ ...fields, error }, 'the edge could not forward a request'),
  });

  let closing: Promise<void> | null = null;
  let unwatch: (() => Promise<void>) | undefined;

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  async function closeAll(): Promise<void> {
    await unwatch?.();
    await edge.close({ grace_ms: 0 });
    guard.close();
    await Promise.all([closeServer(api), closeServer(sandbox)]);
    await emulator.close();
  }

  try {
    const edge_url = `http://${HOST}:${(await edge.listen(options.edge_port ?? 0, HOST)).port}`;
    const urls: EmulatorUrls = { url, edge_url, sandbox_origin };
    const base_seed = async () => (await source?.read())?.seed ?? null;
    const stop = options.on_stop ?? (() => void close());
    if (first_seed !== null) await applyFile(emulator, first_seed);
    unwatch = await source?.watch(async () => applyFile(emulator, await source.read()), log);
    const surface: ControlSurface = { emulator, urls, base_seed, stop };
    ready.resolve({ context: emulator.context, listener: apiListener(surface, port) });
    return createHandle(surface, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is wrong is told with its line in the file, and nothing has changed then. */
async function applyFile(emulator: Composition, { seed, explain }: SeedRead): Promise<void> {
  try {
    await emulator.applySeed(seed);
  } catch (error) {
    throw explain(error);
  }
}

function apiListener(surface: ControlSurface, port: number): RequestListener {
  const { emulator } = surface;
  const { context, errors, chaos } = emulator;
  const meetChaos = createApiChaos(context, chaos);
  const app = createApi(context, { before: (_id, { pathname }) => errors.meet(pathname) });
  serveControl(app, surface);
  serveConnect(app, context);
  app.use(async (event, next) => {
    try {
      guardBrowser(event.req.headers, port);
    } catch (thrown) {
      return controlFailure(thrown, emulator);
    }
    const met = event.url.pathname.startsWith('/v1/') ? await meetChaos() : null;
    return met ?? next();
  });
  return toNodeHandler(app) as RequestListener;
}

function sandboxOrigin({ context }: Composition): RequestListener {
  return createSandboxOrigin({
    names: context.settings.names,
    wall_clock: context.wall_clock,
    signing_secrets: (domain_id) => findSigningSecrets(context, domain_id),
    on_failure: (error) => context.log.warn({ error }, 'the sandbox origin could not answer'),
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
