import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';
import { echoOrigin } from './echo-origin.ts';

const MIB = 1024 * 1024;
const HEAD = `Host: ${HOST}\r\n`;
const PUMPED_BYTES_MAX = 64 * MIB;

interface Pump {
  /** Resolves when the peer stops reading or has read everything. */
  stalled: Promise<void>;
  bytes(): number;
}

/** Writes data as fast as the peer reads it. */
function pump(into: Writable): Pump {
  let bytes = 0;
  const write = () => {
    while (bytes < PUMPED_BYTES_MAX) {
      bytes += 65_536;
      if (!into.write(Buffer.alloc(65_536))) return;
    }
  };
  into.on('drain', write);
  write();
  const stalled = new Promise<void>((resolve) => {
    let before = -1;
    const look = setInterval(() => {
      if (bytes === before) resolve(clearInterval(look));
      before = bytes;
    }, 200);
  });
  return { stalled, bytes: () => bytes };
}

describe('bodies that the edge streams', () => {
  it('of any size arrive complete, in both directions at once', async () => {
    await using origin = await originWith((req, res) => req.pipe(res));
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const sent = createHash('sha256');
    const got = createHash('sha256');
    const chunks = Readable.from(
      (function* () {
        for (let i = 0; i < 64; i++) {
          const chunk = Buffer.alloc(MIB, i);
          sent.update(chunk);
          yield chunk;
        }
      })(),
    );
    const req = request({ port: edge.port, host: '127.0.0.1', method: 'POST', headers: { Host: HOST } });
    const received = once(req, 'response').then(([res]) => pipeline(res, got));
    await pipeline(chunks, req);
    await received;
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });

  it('slow the origin down while the visitor does not read', async () => {
    const pumped = Promise.withResolvers<Pump>();
    await using origin = await originWith((_req, res) => pumped.resolve(pump(res)));
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.socket.pause();
    visitor.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`);
    const { stalled, bytes } = await pumped.promise;
    await stalled;
    // Now only the kernel's buffers are full. If the edge buffered the body, it would have read everything.
    const before = bytes();
    expect(before).toBeLessThan(PUMPED_BYTES_MAX);
    visitor.socket.resume();
    await visitor.until((text) => text.length > before);
    expect(bytes()).toBeGreaterThan(before);
  });

  it('slow the visitor down while the origin does not read', async () => {
    const unread = (socket: Socket) => {
      socket.pause();
      return false;
    };
    await using origin = await rawServer({ connection: unread });
    await using edge = await edgeWith({ [HOST]: route(`http://127.0.0.1:${origin.port}`) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 9999999999\r\n\r\n`);
    const { stalled, bytes } = pump(visitor.socket);
    await stalled;
    expect(bytes()).toBeLessThan(PUMPED_BYTES_MAX);
  });

  it('deliver an early response to the visitor, which may keep sending', async () => {
    await using origin = await originWith((_req, res) => {
      res.writeHead(413, { 'Content-Length': 9 });
      res.end('too large');
    });
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 100000\r\n\r\nabc`);
    const text = await visitor.until((all) => all.endsWith('too large'));
    expect(parseAnswer(text)).toMatchObject({ status: 413, body: 'too large' });
    visitor.write(`${'d'.repeat(99_997)}GET / HTTP/1.1\r\n${HEAD}\r\n`);
    const both = await visitor.until((all) => all.length > text.length && all.endsWith('too large'));
    expect(both.match(/HTTP\/1\.1 413 /g)).toHaveLength(2);
  });
});

describe('a request with Expect: 100-continue gets the 100 from the edge', () => {
  const expecting = (host: string) =>
    `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;

  it('gets 100 from the edge once the origin accepts the request, and is forwarded without Expect', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(expecting(HOST));
    await visitor.until((text) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    visitor.write('abc');
    const text = await visitor.until((all) => all.includes('"body"'));
    expect(JSON.parse(parseAnswer(text).body)).toMatchObject({ body: 'abc' });
    expect(text).not.toMatch(/"expect"/i);
  });

  it('is not answered with 100 if no origin accepts the request', async () => {
    await using edge = await edgeWith({});
    using visitor = await rawVisitor(edge.port);
    visitor.write(expecting(HOST));
    expect(await visitor.until((text) => text.includes('</html>'))).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('has the only expectation that the edge supports; the edge drops any other expectation', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const answer = await send(edge.port, `GET / HTTP/1.1\r\n${HEAD}Expect: cake\r\n\r\n`);
    expect(Object.keys(JSON.parse(answer.body).headers)).not.toContain('expect');
  });
});
