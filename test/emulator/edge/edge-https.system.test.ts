import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as requestPlainly } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestSecurely } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Agent, WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { handshake } from '../../edge/tls/tls-visitor.ts';
import { rawVisitor } from '../../edge/wire/raw-visitor.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

const HOST = 'careers.acme.com';
let underTest: EmulatorUnderTest;
let port: number;
let ca: string;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
  port = Number(new URL(underTest.emulator.edgeUrl).port);
  ca = underTest.emulator.ca;
});
afterEach(() => underTest[Symbol.asyncDispose]());

async function active(hostname = HOST, fields: object = {}): Promise<string> {
  const { id } = (await underTest.api('POST /domains', { hostname, ...fields })).body;
  await underTest.control('POST /clock/advance', { until: 'idle' });
  return id;
}

interface Visit {
  status: number;
  body: string;
}

/** @param servername the name in the TLS handshake. `host` is the Host header. */
function visit(servername: string, host = servername, pathAndQuery = '/'): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const headers = { host, accept: 'application/json' };
    const to = { host: '127.0.0.1', port, path: pathAndQuery, headers, agent: false };
    requestSecurely({ ...to, servername, ca }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    )
      .on('error', reject)
      .end();
  });
}

function visitPlainly(host: string): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, headers: { host, accept: 'application/json' }, agent: false };
    requestPlainly(to, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    )
      .on('error', reject)
      .end();
  });
}

const forwardedProto = () =>
  underTest.emulator.requests().map(({ headers }) => new Map(headers).get('X-Forwarded-Proto'));

describe("the one port of the emulator's edge serves HTTP and HTTPS", () => {
  it('the origin learns which of the two protocols the visitor used', async () => {
    const id = await active();
    for (const name of [HOST, `${HOST}.localhost`]) {
      const { status, body } = await visit(name, `${name}:${port}`, '/a?b=c');
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({
        domain_id: id,
        path: '/a?b=c',
        signature: { verified: true },
      });
    }
    expect((await visitPlainly(HOST)).status).toBe(200);
    expect(forwardedProto()).toEqual(['http', 'https', 'https']);
    expect(underTest.logged).toEqual([]);
  });

  it('speaks HTTP/2 if the client offers it', async () => {
    await active();
    const session = connectHttp2(`https://${HOST}`, { host: '127.0.0.1', port, servername: HOST, ca });
    const stream = session.request({ ':path': '/two' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    expect(JSON.parse(await text(stream))).toMatchObject({ signature: { verified: true } });
    session.close();
    expect(underTest.emulator.requests()).toMatchObject([{ path: '/two', host: HOST, status: 200 }]);
  });

  it('accepts requests that arrive byte by byte', async () => {
    await active();
    using visitor = await rawVisitor(port);
    const bytes = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
    for (const byte of bytes) {
      visitor.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await visitor.ended()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('closes with the emulator, including connections that sent nothing', async () => {
    using silent = await rawVisitor(port);
    using undecided = await rawVisitor(port);
    undecided.write('\x16');
    using secure = await rawVisitor(port, 'localhost');
    const ended = Promise.all([silent.ended(), undecided.ended(), secure.ended()]);
    await underTest.emulator.close();
    await ended;
    await expect(once(connect({ host: '127.0.0.1', port }), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('drops connections that send nothing or close immediately, without a log line', async () => {
    using visitor = await rawVisitor(port);
    visitor.socket.end();
    expect(await visitor.ended()).toBe('');
    expect((await visitPlainly('unknown.example')).status).toBe(404);
    expect(underTest.logged).toEqual([]);
  });
});

describe('a certificate of the emulator belongs to one served hostname', () => {
  it('exists only for hostnames that the edge serves, and only as long as it serves them', async () => {
    const { id } = (await underTest.api('POST /domains', { hostname: HOST })).body;
    const refused = { code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' };
    const error = async (name: string) => {
      using made = await handshake(port, name, { ca });
      return made.error;
    };
    for (const name of [
      HOST,
      'unknown.acme.com',
      `unknown.acme.com.localhost`,
      'x.localhost',
      '127.0.0.1.localhost',
    ]) {
      expect(await error(name)).toMatchObject(refused);
    }
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect((await visit(HOST)).status).toBe(200);
    await underTest.emulator.hold(HOST);
    expect((await visit(HOST)).status).toBe(451);
    await underTest.emulator.release(HOST);
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect((await visit(HOST)).status).toBe(200);
    expect((await underTest.api(`DELETE /domains/${id}`)).status).toBeLessThan(300);
    await expect.poll(() => error(HOST)).toMatchObject(refused);
    expect(underTest.logged).toEqual([]);
  });

  it('is gone after a reset', async () => {
    await active();
    expect((await visit(HOST)).status).toBe(200);
    await underTest.emulator.reset();
    await expect(visit(HOST)).rejects.toThrow('handshake failure');
  });

  it('is not presented without a server name', async () => {
    using nobody = await handshake(port, '');
    expect(nobody.error).not.toBeNull();
  });

  it('is presented for localhost, where a request gets 404', async () => {
    expect((await visit('localhost', `localhost:${port}`)).status).toBe(404);
  });

  it('does not serve requests for another hostname, which get 421', async () => {
    await active();
    await active('jobs.acme.com');
    expect((await visit(HOST, 'jobs.acme.com')).status).toBe(421);
    expect((await visit(HOST, `${HOST}.localhost`)).status).toBe(421);
  });

  it('stays the same for every connection while nothing changes', async () => {
    await active();
    const serial = async () => {
      using made = await handshake(port, HOST, { ca });
      return made.certificate.serialNumber;
    };
    const [first, ...others] = [await serial(), ...(await Promise.all([serial(), serial(), serial()]))];
    expect(first).toMatch(/^7F/);
    for (const other of others) expect(other).toBe(first);
  });
});

test('the emulator replays over HTTPS a request that came over HTTPS', async () => {
  await active();
  await visit(HOST, HOST, '/again');
  const [seen] = underTest.emulator.requests();
  const replayed = await underTest.control(`POST /requests/${seen?.request_id}/replay`);
  expect(replayed).toMatchObject({ status: 200, body: { status: 200 } });
  expect(forwardedProto()).toEqual(['https', 'https']);
});

test('the emulator redirects www of an apex to the apex, over HTTPS on the same port', async () => {
  await active('acme.com', { apex_redirect: 'www' });
  const host = 'www.acme.com.localhost';
  using made = await handshake(port, host, { ca, ALPNProtocols: ['http/1.1'] });
  made.socket.write(`GET /a?b HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  const answer = await text(made.socket);
  expect(answer).toMatch(/^HTTP\/1\.1 308 /);
  expect(answer.toLowerCase()).toContain(`location: https://acme.com.localhost:${port}/a?b\r\n`);
});

describe('a WebSocket through the emulator reaches the origin', () => {
  /** Starts a WebSocket server that sends the first short text back and then closes the connection. */
  async function echoOrigin() {
    const server = createServer();
    server.on('upgrade', (req, socket) => {
      const accept = createHash('sha1').update(
        `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
      );
      socket.on('error', () => socket.destroy());
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
      );
      socket.once('data', (frame: Buffer) => {
        const mask = frame.subarray(2, 6);
        const said = frame.subarray(6).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
        socket.end(Buffer.concat([Buffer.from([0x81, said.length]), said, Buffer.from([0x88, 0])]));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      [Symbol.asyncDispose]: async () => void server.close(),
    };
  }

  it.each(['ws', 'wss'])(
    'the scheme %s works, and the list of requests has the WebSocket with its forwarded headers',
    async (scheme) => {
      await using origin = await echoOrigin();
      const id = await active(HOST, { origin: origin.url });
      // Resolves names below localhost to this machine, because not every system's resolver does so.
      const lookup: NonNullable<ConstructorParameters<typeof Agent>[0]>['connect'] = {
        ca,
        lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      };
      const dispatcher = new Agent({ connect: lookup, allowH2: false });
      const socket = new WebSocket(`${scheme}://${HOST}.localhost:${port}/chat?a=b`, { dispatcher });
      const said = once(socket, 'message');
      await once(socket, 'open');
      socket.send('Hello');
      expect((await said)[0].data).toBe('Hello');
      await once(socket, 'close');
      await dispatcher.close();
      const [seen] = underTest.emulator.requests();
      expect(seen).toMatchObject({ host: HOST, path: '/chat?a=b', domain_id: id, status: 101 });
      const headers = new Map(seen?.headers.map(([name, value]) => [name.toLowerCase(), value]));
      expect(headers.get('x-forwarded-proto')).toBe(scheme === 'wss' ? 'https' : 'http');
      expect(headers.get('x-service-signature')).toMatch(/^v1=[0-9a-f]{64}$/);
      expect(headers.get('sec-websocket-version')).toBe('13');
    },
  );
});

describe("programs that trust the emulator's authority can open its hostnames", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'edge-https-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('curl opens the hostname itself and its name below localhost, but only with the authority', async () => {
    await active();
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, ca);
    const curl = async (...args: string[]) =>
      (await promisify(execFile)('curl', ['-sS', '-o', '-', '-w', '%{http_code} %{http_version}', ...args]))
        .stdout;
    const resolve = (name: string) => ['--resolve', `${name}:${port}:127.0.0.1`, `https://${name}:${port}/`];
    expect(await curl('--cacert', file, ...resolve(`${HOST}.localhost`))).toMatch(/200 2$/);
    expect(await curl('--cacert', file, ...resolve(HOST))).toMatch(/200 2$/);
    await expect(curl(...resolve(HOST))).rejects.toMatchObject({ code: 60 });
  });
});
