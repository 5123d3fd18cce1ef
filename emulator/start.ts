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
import type { Log } from '../shared/ports/log.ts';
import type { ClockMode } from './adjustable-clock.ts';
import { readAs } from './control/action.ts';
import { advanceSchema, clockSchema } from './control/bodies.ts';
import { guardBrowser } from './control/browser-guard.ts';
import { controlFailure, serveControl } from './control/serve-control.ts';
import { DEFAULT_SECRETS } from './default-account.ts';
import { type Composition, composeEmulator } from './main.ts';
import { stderrLog } from './stderr-log.ts';
import type { Advance } from './time-control.ts';
import type { EmulatorUrls } from './urls.ts';

export interface EmulatorOptions {
  /** Of the API; 0, the default, takes a free one. */
  port?: number;
  /** Of the edge; 0, the default, takes a free one. */
  edge_port?: number;
  /** SQLite file that keeps the state. Without one it is in memory and gone with the process. */
  file?: string | null;
  /** `origin_url` of the default app. */
  origin?: string;
  /** `webhook_url` of the default app. */
  webhook?: string;
  clock?: ClockMode;
  /** Where warnings and errors go: standard error by default. */
  log?: Log;
}

/** A running emulator. */
export interface Emulator {
  /** Of the API, without `/v1`. */
  url: string;
  edge_url: string;
  sandbox_origin: string;
  keys: { test: string; live: string };
  /** The newest one of the default app, after a rotation or an import too. */
  readonly webhook_secret: string;
  /** The default app; a reset makes another. */
  readonly app_id: string;
  clock: {
    now(): Date;
    /** Moves the clock and resolves when all that came due on the way is done. @param by milliseconds, or `72h`. */
    advance(by: string | number): Promise<{ steps: number }>;
    /** @param instant RFC 3339. */
    advanceTo(instant: string): Promise<{ steps: number }>;
    untilIdle(): Promise<{ steps: number }>;
    next(): Promise<{ steps: number }>;
    setMode(mode: ClockMode): Promise<void>;
  };
  /** Back to a fresh account with the same keys. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts the whole service in this process, on loopback: API, edge, sandbox origin and control surface.
 * @throws Error with `code` EADDRINUSE where a port is taken, or from SQLite where the file is in use or cannot be opened.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const log = options.log ?? stderrLog;
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

  async function close(): Promise<void> {
    await edge.close({ grace_ms: 0 });
    guard.close();
    await Promise.all([closeServer(api), closeServer(sandbox)]);
    await emulator.close();
  }

  try {
    const edge_url = `http://${HOST}:${(await edge.listen(options.edge_port ?? 0, HOST)).port}`;
    const urls: EmulatorUrls = { url, edge_url, sandbox_origin };
    ready.resolve({ context: emulator.context, listener: apiListener(emulator, urls, port) });
    return handle(emulator, urls, close);
  } catch (error) {
    await close();
    throw error;
  }
}

function apiListener(emulator: Composition, urls: EmulatorUrls, port: number): RequestListener {
  const { context, errors } = emulator;
  const app = createApi(context, { before: (_id, { pathname }) => errors.meet(pathname) });
  serveControl(app, emulator, () => urls);
  serveConnect(app, context);
  app.use(async (event, next) => {
    try {
      guardBrowser(event.req.headers, port);
    } catch (thrown) {
      return controlFailure(thrown, emulator);
    }
    return next();
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

function handle(
  { clock, time, reset, defaultApp }: Composition,
  urls: EmulatorUrls,
  close: () => Promise<void>,
): Emulator {
  const advance = async (how: Advance) => ({ steps: await time.advance(how) });
  return {
    ...urls,
    keys: { test: DEFAULT_SECRETS.test_key, live: DEFAULT_SECRETS.live_key },
    get webhook_secret() {
      return defaultApp().webhook_secret;
    },
    get app_id() {
      return defaultApp().id;
    },
    // Read as the control surface reads them, and refused with the same words.
    clock: {
      now: () => new Date(clock.now()),
      advance: async (by) => advance(typeof by === 'number' ? { by_ms: by } : readAs(advanceSchema, { by })),
      advanceTo: async (to) => advance(readAs(advanceSchema, { to })),
      untilIdle: () => advance({ until: 'idle' }),
      next: () => advance({ until: 'next' }),
      setMode: async (mode) => time.setMode(readAs(clockSchema, { mode }).mode),
    },
    reset,
    close,
  };
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
