import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { cpuMsOf, findProgram, type PinnedProcess, startPinned } from '../pinned-process.ts';

/** The edge and the servers to compare it with. All have the same certificate and origin, and one core each. */
export interface Contenders {
  hostname: string;
  /** Returns the edge and the installed contenders. */
  servers: Partial<Record<Contender | Uncounted, Server>>;
  stop(): Promise<void>;
}

export interface Server {
  port: number;
  /** Returns the user and system time of all processes of the server since their start, to 10 ms. */
  cpuMs(): number;
  processIds: readonly number[];
}

/** The two engines of the edge: our own server, and nginx. */
export const ENGINES = ['edge', 'edge on nginx'] as const;
export const PEERS = ['caddy', 'nginx', 'haproxy'] as const;
export const CONTENDERS = [...ENGINES, ...PEERS] as const;
export type Contender = (typeof CONTENDERS)[number];
type Engine = (typeof ENGINES)[number];
/** The name of an engine that runs without counting traffic. */
export type Uncounted = `${Engine} without counting`;

/** The measured servers run on core 0. The origin and the client run on core 1. */
const SERVER_CORE = 0;
export const CLIENT_CORE = 1;

const HOSTNAME = 'localhost';
const ORIGIN = fileURLToPath(import.meta.resolve('./edge-origin.ts'));
const EDGE = fileURLToPath(import.meta.resolve('./edge-process.ts'));

/**
 * Starts the edge on both engines and its contenders, or only the contenders in `named`.
 * @param uncounted if true, also starts each engine a second time, without counting traffic.
 */
export async function startContenders(
  named: readonly Contender[] = CONTENDERS,
  { uncounted = false } = {},
): Promise<Contenders> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  const files = writeCertificate(folder);
  const started: PinnedProcess[] = [];
  const origin = await startOrigin(folder);
  started.push(origin.process);
  const originPort = origin.port;
  const servers: Contenders['servers'] = {};

  for (const name of ENGINES.filter((each) => named.includes(each))) {
    if (name === 'edge on nginx' && findProgram('nginx') === null) {
      console.error('SKIPPED the edge on nginx: nginx is not installed');
      continue;
    }
    servers[name] = await startEdge(name, true);
    if (uncounted) servers[`${name} without counting`] = await startEdge(name, false);
  }

  async function startEdge(name: Engine, counts: boolean): Promise<Server> {
    const edge = startPinned(SERVER_CORE, process.execPath, [EDGE], {
      HOSTNAME,
      ORIGIN: `http://127.0.0.1:${originPort}`,
      CERTIFICATE: files.chain,
      PRIVATE_KEY: files.key,
      ENGINE: name === 'edge' ? 'node' : 'nginx',
      FOLDER: path.join(folder, counts ? 'edge' : 'uncounted'),
      COUNTS: counts ? 'traffic' : '',
    });
    started.push(edge);
    const { port, process_ids } = JSON.parse(await edge.line()) as { port: number; process_ids: number[] };
    return serverAt(port, process_ids);
  }

  for (const [name, other] of Object.entries(OTHERS) as [keyof typeof OTHERS, Other][]) {
    if (!named.includes(name)) continue;
    const file = findProgram(name);
    if (file === null) {
      console.error(`SKIPPED ${name}: it is not installed`);
      continue;
    }
    const port = await freePort();
    const configuration = path.join(folder, name);
    writeFileSync(configuration, other.configuration({ port, origin_port: originPort, folder, ...files }));
    const server = startPinned(SERVER_CORE, file, other.args(configuration), {
      GOMAXPROCS: '1',
      HOME: folder,
    });
    started.push(server);
    await listening(port);
    servers[name] = serverAt(port, [server.id]);
  }
  return {
    hostname: HOSTNAME,
    servers,
    async stop() {
      await Promise.all(started.map((each) => each.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverAt(port: number, processIds: readonly number[]): Server {
  return { port, processIds, cpuMs: () => cpuMsOf(processIds) };
}

/**
 * Starts an origin that is faster than every contender, so that the origin does not limit the results. The origin is nginx, or Node if
 * nginx is missing.
 */
async function startOrigin(folder: string): Promise<{ process: PinnedProcess; port: number }> {
  const nginx = findProgram('nginx');
  if (nginx === null) {
    const started = startPinned(CLIENT_CORE, process.execPath, [ORIGIN]);
    return { process: started, port: portIn(await started.line()) };
  }
  const port = await freePort();
  const configuration = path.join(folder, 'origin');
  writeFileSync(configuration, originConfiguration(port, folder));
  writeFileSync(path.join(folder, 'big'), Buffer.alloc(8 * 1024 * 1024));
  const started = startPinned(CLIENT_CORE, nginx, ['-e', 'stderr', '-c', configuration]);
  await listening(port);
  return { process: started, port };
}

const BODY = 'a'.repeat(1024);

function originConfiguration(port: number, folder: string): string {
  return `daemon off;
master_process off;
pid ${folder}/origin.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/ob; proxy_temp_path ${folder}/op; fastcgi_temp_path ${folder}/of;
  uwsgi_temp_path ${folder}/ou; scgi_temp_path ${folder}/os;
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 100000000;
    default_type text/plain;
    location / { return 200 ${BODY}; }
    location = /big { alias ${folder}/big; }
  }
}
`;
}

interface Files {
  chain: string;
  key: string;
  both: string;
}

interface Other {
  args(configuration: string): string[];
  configuration(options: Files & { port: number; origin_port: number; folder: string }): string;
}

/** The configurations of the other servers, without access logs and session tickets, and with keep-alive connections to the origin. */
const OTHERS = {
  caddy: {
    args: (configuration) => ['run', '--adapter', 'caddyfile', '--config', configuration],
    configuration: ({ port, origin_port, chain, key }) => `{
  admin off
  auto_https off
}
https://${HOSTNAME}:${port} {
  bind 127.0.0.1
  tls ${chain} ${key}
  reverse_proxy 127.0.0.1:${origin_port}
}
`,
  },
  nginx: {
    args: (configuration) => ['-c', configuration],
    configuration: ({ port, origin_port, chain, key, folder }) => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream origin { server 127.0.0.1:${origin_port}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${chain}; ssl_certificate_key ${key};
    ssl_protocols TLSv1.2 TLSv1.3; ssl_session_tickets off;
    keepalive_requests 100000000;
    location / {
      proxy_pass http://origin; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Host $host; proxy_set_header X-Forwarded-Proto https;
    }
  }
}
`,
  },
  haproxy: {
    args: (configuration) => ['-db', '-f', configuration],
    configuration: ({ port, origin_port, both }) => `global
  nbthread 1
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend visitors
  bind 127.0.0.1:${port} ssl crt ${both}
  http-request set-header X-Forwarded-Proto https
  default_backend origin
backend origin
  http-reuse always
  server origin 127.0.0.1:${origin_port}
`,
  },
} as const satisfies Record<(typeof PEERS)[number], Other>;

function writeCertificate(folder: string): Files {
  using ca = createThrowawayCa();
  const { key, cert } = ca.issue(`DNS:${HOSTNAME}`);
  const files = { chain: 'chain.pem', key: 'key.pem', both: 'both.pem' };
  const at = (name: string) => path.join(folder, name);
  writeFileSync(at(files.chain), cert);
  writeFileSync(at(files.key), key);
  writeFileSync(at(files.both), readFileSync(at(files.chain)) + readFileSync(at(files.key), 'utf8'));
  return { chain: at(files.chain), key: at(files.key), both: at(files.both) };
}

function portIn(line: string): number {
  return (JSON.parse(line) as { port: number }).port;
}

async function listening(port: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await delay(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}
