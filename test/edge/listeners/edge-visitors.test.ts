import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { askUntilLast, parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';

const HEAD = `Host: ${HOST}\r\n`;
const GET = `GET / HTTP/1.1\r\n${HEAD}\r\n`;

describe('a slow visitor of the edge is disconnected in time', () => {
  it('gets 408 if its headers do not end', async () => {
    await using edge = await edgeWith({}, { limits: { headers_timeout_ms: 100 } });
    using visitor = await rawVisitor(edge.port);
    visitor.write('GET / HTTP/1.1\r\nHost: a');
    const answer = parseAnswer(await visitor.ended());
    expect(answer).toMatchObject({
      status: 408,
      headers: { 'x-request-id': expect.stringMatching(/^req_/) },
    });
  });

  it('is disconnected if it sends nothing', async () => {
    await using edge = await edgeWith({}, { limits: { headers_timeout_ms: 100 } });
    using visitor = await rawVisitor(edge.port);
    await visitor.ended();
    expect(visitor.socket.closed).toBe(true);
  });

  it('is disconnected if it sends nothing after a response', async () => {
    await using edge = await edgeWith({}, { limits: { keep_alive_ms: 50 } });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    expect(parseAnswer(await visitor.ended()).status).toBe(404);
  });

  it('is disconnected if its body trickles', async () => {
    await using origin = await originWith((req) => req.resume());
    const limits = { progress_window_ms: 200, progress_bytes_min: 1024 };
    await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`);
    const trickle = setInterval(() => visitor.write('a'), 20);
    await visitor.ended();
    clearInterval(trickle);
    expect(visitor.socket.closed).toBe(true);
  });

  it('is disconnected if it does not read its response', async () => {
    const closed = Promise.withResolvers<void>();
    await using origin = await originWith((_req, res) => {
      res.once('close', () => closed.resolve());
      res.write(Buffer.alloc(64 * 1024 * 1024));
    });
    const limits = { progress_window_ms: 200 };
    await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.socket.pause();
    visitor.write(GET);
    await closed.promise;
  });

  it('may wait for a slow origin or continue to send its body', async () => {
    await using origin = await originWith((req, res) => {
      req.resume();
      req.on('end', () => setTimeout(() => res.end('at last'), 3000));
    });
    // The visitor's body and the origin's response each take longer than these limits. Each pause is far shorter than the limits, even on a
    // busy machine.
    const limits = { progress_window_ms: 2000, headers_timeout_ms: 2000 };
    await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 61440\r\n\r\n`);
    for (let i = 0; i < 30; i++) {
      visitor.write('a'.repeat(2048));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(parseAnswer(await visitor.until((text) => text.includes('at last'))).status).toBe(200);
  });
});

describe('a greedy visitor of the edge is limited', () => {
  it('gets a limited number of connections, and another one once one has ended', async () => {
    await using edge = await edgeWith({}, { limits: { connections_per_address_max: 2 } });
    using one = await rawVisitor(edge.port);
    using two = await rawVisitor(edge.port);
    using three = await rawVisitor(edge.port);
    three.write(GET);
    expect(await three.ended()).toBe('');
    for (const visitor of [one, two]) {
      visitor.write(GET);
      expect(parseAnswer(await visitor.until((text) => text.includes('</html>'))).status).toBe(404);
    }
    one.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await one.ended();
    let status = 0;
    for (let i = 0; i < 100 && status === 0; i++) status = (await send(edge.port, GET)).status;
    expect(status).toBe(404);
  });

  it('is disconnected if it pipelines too many requests', async () => {
    const arrived: string[] = [];
    await using origin = await originWith((req) => arrived.push(req.url ?? ''));
    await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits: { pipelined_max: 4 } });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET.repeat(5));
    expect(await visitor.ended()).toBe('');
    expect(edge.asked.length).toBeLessThanOrEqual(4);
  });
});

describe('an edge that is closing lets requests finish', () => {
  it('finishes its requests and keeps no connection open', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using origin = await originWith((_req, res) => arrived.resolve(res));
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using idle = await rawVisitor(edge.port);
    using busy = await rawVisitor(edge.port);
    busy.write(GET);
    const res = await arrived.promise;
    const closed = edge.edge.close({ graceMs: 60_000 });
    await idle.ended();
    res.end('answer');
    expect(parseAnswer(await busy.ended())).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
    const late = connect(edge.port, '127.0.0.1');
    const [error] = await once(late, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('responds to each request on its open connections', async () => {
    await using origin = await originWith((_req, res) => res.end('answer'));
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const lasts = Array.from({ length: 15 }, () => askUntilLast(edge.port, GET, () => (answered += 1)));
    let answered = 0;
    await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(60);
    const closed = edge.edge.close({ graceMs: 60_000 });
    for (const last of await Promise.all(lasts))
      expect(parseAnswer(last).headers['connection']).toBe('close');
    await closed;
  });

  it('ends requests that last longer than the grace period', async () => {
    const arrived = Promise.withResolvers<void>();
    await using origin = await originWith(() => arrived.resolve());
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    await arrived.promise;
    await edge.edge.close({ graceMs: 50 });
    expect(await visitor.ended()).toBe('');
  });
});

it('`listen` rejects if the port is taken', async () => {
  await using edge = await edgeWith({});
  await using other = await edgeWith({});
  await other.edge.close();
  await expect(other.edge.listen?.(edge.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
