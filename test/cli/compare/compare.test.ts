import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { keyFor, runCli } from '../run-cli.ts';

const HOSTNAME = 'careers.acme.com';

/** The origin's response at each path, as the edge returns it. The old host gives the same responses unless a test changes them. */
const PAGES: Record<string, RequestListener> = {
  '/': (_request, response) => void response.setHeader('Content-Type', 'text/html').end('<h1>Jobs</h1>\n'),
  '/moved': (_request, response) => void response.writeHead(301, { Location: '/jobs' }).end(),
  '/cookie': (_request, response) =>
    void response.setHeader('Set-Cookie', [`id=${Math.random()}`, 'theme=dark']).end('hello'),
  '/large': (_request, response) => void response.end(Buffer.alloc(1_500_000, 'a')),
};

let emulator: Emulator;
let origin: Server;

beforeAll(async () => {
  origin = await serve(PAGES);
  emulator = await startEmulator({ clock: 'frozen' });
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
  await client.domains.create({ hostname: HOSTNAME, origin: urlOf(origin) });
  await client.domains.create({ hostname: 'dns-record-missing.acme.com' });
  await emulator.clock.untilIdle();
});

afterAll(async () => {
  await emulator[Symbol.asyncDispose]();
  origin.close();
});

async function serve(pages: Record<string, RequestListener>): Promise<Server> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function compare(old: string, ...args: string[]) {
  const run = await runCli(['domains', 'compare', HOSTNAME, ...args, '--old', old, '--json'], {
    env: keyFor(emulator.url, emulator.keys.test),
  });
  return { exit: run.exit, stderr: run.stderr, result: JSON.parse(run.stdout || 'null') };
}

/** Starts an old host whose responses at these paths differ from the responses of the origin. */
async function oldHost(pages: Record<string, RequestListener>) {
  const server = await serve({ ...PAGES, ...pages });
  return { url: urlOf(server), [Symbol.dispose]: () => void server.close() };
}

test('domains compare finds no difference if the old host and the edge have the same origin', async () => {
  using old = await oldHost({});
  const { exit, result } = await compare(old.url, '/', '/moved', '/cookie', '/large', '/missing');
  expect(result.paths.filter((each: { differences: unknown[] }) => each.differences.length > 0)).toEqual([]);
  expect(exit).toBe(0);
});

test.each<[path: string, page: RequestListener, difference: object]>([
  [
    '/',
    (_request, response) =>
      void response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>Jobs</h1>\n'),
    { part: 'status', name: null, old: '503', edge: '200' },
  ],
  [
    '/',
    (_request, response) =>
      void response.setHeader('Content-Type', 'text/html').end('<h1>Jobs</h1>\n<p>New</p>'),
    { part: 'body', name: 'line 2', old: '<p>New</p>', edge: '' },
  ],
  [
    '/moved',
    (_request, response) => void response.writeHead(301, { Location: '/careers' }).end(),
    { part: 'header', name: 'location', old: '/careers', edge: '/jobs' },
  ],
  [
    '/cookie',
    (_request, response) => void response.setHeader('Set-Cookie', 'id=secret').end('hello'),
    { part: 'header', name: 'set-cookie', old: 'id', edge: 'id, theme' },
  ],
  [
    '/large',
    (_request, response) => void response.end(Buffer.from([0xff, 0xfe])),
    { part: 'body', name: null, old: '2 bytes', edge: 'more than 1048576 bytes' },
  ],
])(
  'domains compare reports the difference between the two responses to %s',
  async (path, page, difference) => {
    using old = await oldHost({ [path]: page });
    const { exit, result } = await compare(old.url, path);
    expect(result.paths).toEqual([{ path, differences: [difference] }]);
    expect(exit).toBe(9);
  },
);

test('domains compare ignores the headers that a flag names', async () => {
  using old = await oldHost({
    '/cookie': (_request, response) => void response.setHeader('Set-Cookie', 'id=1').end('hello'),
  });
  expect(await compare(old.url, '/cookie', '--ignore', 'Set-Cookie')).toMatchObject({ exit: 0 });
});

test('domains compare sends the hostname in Host to both hosts, and requests each path once', async () => {
  const hosts: unknown[] = [];
  using old = await oldHost({
    '/?q=a%20b': (request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(404).end();
    },
  });
  expect(await compare(old.url, '/?q=a b')).toMatchObject({ exit: 0 });
  expect(hosts).toEqual([HOSTNAME]);
});

test('domains compare reports a host that refuses the connection or ends it in the middle of a response', async () => {
  const refused = await compare('127.0.0.1:1');
  expect(refused).toMatchObject({ exit: 9, result: { old: 'https://127.0.0.1:1' } });
  expect(refused.result.paths[0].differences).toEqual([
    { part: 'connection', name: null, old: expect.stringContaining('ECONNREFUSED'), edge: null },
  ]);
  using old = await oldHost({
    '/': (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half');
      setImmediate(() => response.destroy());
    },
  });
  const { result } = await compare(old.url);
  expect(result.paths[0].differences).toEqual([
    { part: 'connection', name: null, old: expect.stringMatching(/aborted|ECONNRESET/), edge: null },
  ]);
});

test('domains compare explains how to specify an old host that serves HTTP only', async () => {
  using old = await oldHost({});
  const { result } = await compare(new URL(old.url).host);
  expect(result.paths[0].differences).toEqual([
    {
      part: 'connection',
      name: null,
      old: expect.stringContaining('start the address with http://'),
      edge: null,
    },
  ]);
});

test('domains compare warns that a domain without a certificate cannot be compared yet', async () => {
  using old = await oldHost({});
  const { exit, stderr, stdout } = await runCli(
    ['domains', 'compare', 'dns-record-missing.acme.com', '--old', old.url],
    { env: keyFor(emulator.url, emulator.keys.test) },
  );
  expect(exit).toBe(9);
  expect(stderr).toContain('has no certificate yet');
  expect(stdout).toMatch(/differs {2}\/\n {2}connection\n {4}old {3}-\n {4}edge {2}\S/);
});

test.each([
  [['jobs'], '"jobs" is not a path.'],
  [['//evil.example/'], '"//evil.example/" is not a path.'],
  [['/', '--old', 'ftp://192.0.2.1'], '--old is not the address of a host.'],
  [['/', '--old', '192.0.2.1/path'], '--old is not the address of a host.'],
])('domains compare refuses %j before it sends a request', async (args, message) => {
  const { exit, stderr } = await runCli(['domains', 'compare', HOSTNAME, ...args], {
    env: keyFor(emulator.url, emulator.keys.test),
  });
  expect(exit).toBe(2);
  expect(stderr).toContain(message);
});

test('domains compare escapes control characters of a response', async () => {
  using old = await oldHost({
    '/': (_request, response) =>
      void response.setHeader('Content-Type', 'text/html').end('\u001b]0;owned\u0007<h1>Jobs</h1>\n'),
  });
  const { stdout } = await runCli(['domains', 'compare', HOSTNAME, '--old', old.url], {
    env: keyFor(emulator.url, emulator.keys.test),
  });
  expect(stdout).toContain('body line 1');
  expect(stdout).not.toContain('\u001b');
});
