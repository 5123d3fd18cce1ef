import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import { readReceipt, signReceipt } from '../../shared/core/public-path/path-receipt.ts';
import type { ProxyWorld } from './proxy-world.ts';

/** A response that an adversary has fetched from our edge. */
interface Fetched {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

type Fetch = (change?: { host?: string; path?: string; scheme?: 'http' | 'https' }) => Promise<Fetched>;

/**
 * Handles a request of the probe, and may fetch responses from our edge. Returns the response to send, or null for the adversary's own
 * page.
 */
type Adversary = (req: IncomingMessage, fetch: Fetch, kept: Fetched[]) => Promise<Fetched | null>;

const isWellKnown = ({ url }: IncomingMessage) => url?.startsWith('/.well-known/') ?? false;
const isProbe = ({ headers }: IncomingMessage) => headers['user-agent']?.includes('Probe') ?? false;
const hostOf = ({ headers }: IncomingMessage) => headers.host?.split(':')[0] ?? '';

/** Sites of others that try to pass for a proxy in front of our edge, each with the result (`Hop`) that a probe must report. */
export const ADVERSARIES: readonly [title: string, hop: string, adversary: Adversary][] = [
  [
    'repeats the first receipt that it got',
    'cached',
    async (_req, fetch, kept) => {
      if (kept[0] === undefined) kept.push(await fetch());
      return kept[0] ?? null;
    },
  ],
  [
    'repeats a receipt of an earlier request with the headers of a new one',
    'cached',
    async (_req, fetch, kept) => {
      const fresh = await fetch();
      kept.push(fresh);
      return { ...fresh, body: kept[0]?.body ?? '' };
    },
  ],
  ['passes on /.well-known/ alone', 'partial', async (req, fetch) => (isWellKnown(req) ? fetch() : null)],
  ['passes on all but /.well-known/', 'partial', async (req, fetch) => (isWellKnown(req) ? null : fetch())],
  ['passes on requests of probes alone', 'partial', async (req, fetch) => (isProbe(req) ? fetch() : null)],
  [
    'passes on requests with the header of probes alone',
    'partial',
    async (req, fetch) => (req.headers['x-service-path-probe'] ? fetch() : null),
  ],
  [
    'has receipts made for its own hostname',
    'host_rewritten',
    async (_req, fetch) => fetch({ host: 'evil.after.test' }),
  ],
  [
    'fetches all receipts below /.well-known/',
    'path_rewritten',
    async (req, fetch) => fetch(isWellKnown(req) ? {} : { path: `/.well-known/service-path${req.url}` }),
  ],
  ['fetches all receipts by plain HTTP', 'flexible', async (_req, fetch) => fetch({ scheme: 'http' })],
  [
    'changes the hostname in a receipt',
    'elsewhere',
    async (req, fetch) => {
      const fetched = await fetch({ host: 'evil.after.test' });
      const [content = '', mac] = fetched.body.split('.');
      const receipt = JSON.parse(Buffer.from(content, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify({ ...receipt, host: hostOf(req) })).toString('base64url');
      return { ...fetched, body: `${forged}.${mac}` };
    },
  ],
  [
    'signs receipts with a key of its own',
    'elsewhere',
    async (_req, fetch) => {
      const fetched = await fetch();
      const receipt = JSON.parse(Buffer.from(fetched.body.split('.')[0] ?? '', 'base64url').toString());
      return { ...fetched, body: signReceipt([new Uint8Array(32).fill(9)], receipt) };
    },
  ],
];

/** Starts an adversary's site at an address, on both ports, with a valid certificate for the hostname. */
export async function startAdversary(
  { upstream, keys }: Pick<ProxyWorld, 'upstream' | 'keys'>,
  address: string,
  adversary: Adversary,
): Promise<AsyncDisposable & { receipts(): number }> {
  const kept: Fetched[] = [];
  let receipts = 0;
  const listener = (scheme: 'http' | 'https') => async (req: IncomingMessage, res: ServerResponse) => {
    const fetch: Fetch = async (change = {}) => {
      const fetched = await fetchFromEdge(
        upstream,
        { host: hostOf(req), path: req.url ?? '/', scheme, ...change },
        req,
      );
      if (readReceipt(keys, fetched.body) !== null) receipts += 1;
      return fetched;
    };
    const { status, headers, body } = (await adversary(req, fetch, kept).catch(() => null)) ?? OWN_SITE;
    const { 'content-length': _, ...others } = headers;
    res.writeHead(status, others).end(body);
  };
  const certificate = readFileSync(upstream.certificates.good);
  const servers = [
    createServer(listener('http')).listen(upstream.httpPort, address),
    createSecureServer({ key: certificate, cert: certificate }, listener('https')).listen(
      upstream.httpsPort,
      address,
    ),
  ];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return {
    receipts: () => receipts,
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const OWN_SITE: Fetched = { status: 200, headers: {}, body: 'the site of someone else' };

function fetchFromEdge(
  { address, httpPort, httpsPort }: ProxyWorld['upstream'],
  { host, path, scheme }: { host: string; path: string; scheme: 'http' | 'https' },
  { headers }: IncomingMessage,
): Promise<Fetched> {
  const port = scheme === 'http' ? httpPort : httpsPort;
  const options = {
    host: address,
    port,
    path,
    agent: false,
    headers: { ...headers, host },
    servername: host,
  };
  const send = scheme === 'http' ? request : secureRequest;
  return new Promise((resolve, reject) => {
    const sent = send({ ...options, rejectUnauthorized: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });
}
