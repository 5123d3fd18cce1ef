import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { createHttpServer, logOwnErrors } from '../shared/adapters/owned-server.ts';
import { systemClock } from '../shared/adapters/system.ts';
import { loadOnce } from '../shared/core/load-once.ts';
import { isLoopback } from '../shared/core/net/address.ts';
import { createSandboxOrigin } from '../shared/edge/forwarding/sandbox-origin.ts';
import { createApiServer, type Served } from '../shared/http/api-server.ts';
import { findDomainValues, sandboxDomain } from '../shared/operations/edge/find-edge-route.ts';
import { composeEmulator, type EmulatorComposition } from './compose.ts';
import type { ControlSurface } from './control/serve-control.ts';
import { createLocalCa } from './edge/local-ca.ts';
import { type EdgeParts, startEmulatorEdge } from './edge/start-edge.ts';
import { checkEmulatorOptions, checkNode, type EmulatorOptions } from './emulator-options.ts';
import { type SeedRead, seedSource } from './seed/seed-source.ts';
import type { EmulatorUrls } from './shown-emulator.ts';
import { type Activity, createActivity } from './state/activity.ts';
import { createSeenCalls, type SeenCalls } from './state/seen-calls.ts';
import { stderrLog } from './stderr-log.ts';

/** A running emulator, as this process controls it. */
export interface RunningEmulator {
  surface: ControlSurface;
  /** Loads the API port's request handler before the first request. If loading fails, rejects, and the next request tries again. */
  load(): Promise<RequestListener>;
  /** Starts to record what happens in the emulator. */
  watch(): Activity;
  /** Closes everything that the emulator opened, and logs failures on the way. Further calls have no effect. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts the whole service in this process: API, edge, sandbox origin and control surface. Listens on loopback unless `listen` names
 * another address.
 * @throws Error with `code` EADDRINUSE if a port is taken, or from SQLite if the file is in use or cannot be opened.
 * @throws TypeError for an unknown option.
 * @throws SeedError for a mistake in the seed file, with its lines.
 */
export async function runEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  checkNode(process.version);
  checkEmulatorOptions(options);
  const log = options.log ?? stderrLog;
  const source = options.seed === undefined ? null : await seedSource(options.seed);
  // Read the seed before anything is opened, so that a mistake in the file is reported at once.
  const firstSeed = (await source?.read()) ?? null;
  // Listen before composing the emulator, because every address that the service gives out contains the port.
  const ready = Promise.withResolvers<Served>();
  // A client can connect before the emulator can respond, so handle connection errors from the beginning.
  const onConnectionError = logOwnErrors(log);
  const api = createApiServer(ready.promise, { onConnectionError });
  const host = options.listen ?? LOOPBACK;
  const port = await listen(api, host, options.port ?? 0);
  const shown = reachable(host);
  const url = `http://${shown}:${port}`;
  const edgeParts = Promise.withResolvers<EdgeParts>();
  const opened = [() => closeServer(api)];
  const abandon = async (error: unknown): Promise<never> => {
    for (const closeIt of opened.toReversed()) await closeIt();
    throw error;
  };
  const edge = await startEmulatorEdge(edgeParts.promise, { host, port: options.edgePort ?? 0, log }).catch(
    abandon,
  );
  opened.push(edge.close);
  const emulator = await composeEmulator({
    file: options.file ?? null,
    origin: options.origin ?? null,
    webhook: options.webhook ?? null,
    clockMode: options.clock ?? null,
    baseUrl: url,
    edgePort: edge.port,
    idSeed: options.seedIds === undefined ? null : String(options.seedIds),
    log,
  }).catch(abandon);
  const sandbox = createHttpServer({}, sandboxOrigin(emulator), onConnectionError);
  const sandboxUrl = `http://${LOOPBACK}:${await listen(sandbox, LOOPBACK, 0)}`;
  const ca = createLocalCa(options.caFolder ?? null, systemClock);

  let closing: Promise<void> | null = null;
  let unwatch: (() => Promise<void>) | undefined;

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  async function closeAll(): Promise<void> {
    const parts = [unwatch, edge.close, () => closeServer(api), () => closeServer(sandbox), emulator.close];
    // Close the parts one after the other: the servers first, then the state that they use.
    for (const closePart of parts) {
      try {
        await closePart?.();
      } catch (error) {
        log.error({ error }, 'the emulator could not close one of its parts');
      }
    }
  }

  try {
    edgeParts.resolve({ emulator, ca, sandboxOrigin: sandboxUrl });
    const edgeUrl = `http://${shown}:${edge.port}`;
    const urls: EmulatorUrls = { url, edgeUrl, sandboxOrigin: sandboxUrl };
    const baseSeed = async () => (await source?.read())?.seed ?? null;
    const stop = options.onStop ?? (() => void close());
    if (firstSeed !== null) await applyFile(emulator, firstSeed);
    unwatch = await source?.watch(async () => applyFile(emulator, await source.read()), log);
    const surface: ControlSurface = { emulator, urls, ca, base_seed: baseSeed, stop };
    // If the emulator listens beyond loopback, accept single-label names such as those of containers. This adds no risk, because any
    // program on the network can reach such an emulator.
    const singleLabels = !isLoopback(host);
    const names = (options.allowedHosts ?? []).map((name) => name.toLowerCase());
    const allowedHosts = { names, singleLabels };
    // Lazy: the API with its pages would delay the start by 60 ms, mostly for React and the documentation.
    const listener = loadOnce(async () =>
      (await import('./api-listener.ts')).createApiListener(surface, allowedHosts),
    );
    let calls: SeenCalls | null = null;
    ready.resolve({
      context: emulator.context,
      async listener(req, res) {
        calls?.watch(req, res);
        (await listener.get())(req, res);
      },
    });
    const watch = () => {
      calls ??= createSeenCalls(emulator.clock);
      return createActivity(emulator, calls);
    };
    return { surface, load: listener.get, watch, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Applies a seed file. If it is refused, nothing changes and the error names the line in the file. */
async function applyFile(emulator: EmulatorComposition, { seed, explain }: SeedRead): Promise<void> {
  try {
    await emulator.applySeed(seed);
  } catch (error) {
    throw explain(error);
  }
}

function sandboxOrigin({ context }: EmulatorComposition): RequestListener {
  return createSandboxOrigin({
    names: context.settings.names,
    wallClock: context.wallClock,
    findDomain: async (domainId) =>
      sandboxDomain(await findDomainValues(context, domainId), context.clock.now()),
    onFailure: (error) => context.log.warn({ error }, 'the sandbox origin could not respond'),
  });
}

/** Returns the host under which this machine reaches a listening address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return LOOPBACK;
  return isIPv6(host) ? `[${host}]` : host;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
