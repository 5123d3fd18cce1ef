import { expect, test } from 'vitest';
import { addDomain, client, eventsOf } from '../client.ts';
import type { Suite } from '../driver.ts';
import { EVENT } from '../resources.ts';
import { mismatches } from '../shape.ts';

interface Frame {
  id: string | null;
  data: { id: string; type: string; domain_id: string } | null;
}

/** An open stream of server-sent events. */
interface OpenStream extends AsyncDisposable {
  response: Response;
  /** Returns the next frame with data; null once the server has ended the stream. */
  next(): Promise<Frame | null>;
}

async function openStream(
  baseUrl: string,
  key: string,
  query = '',
  lastEventId?: string,
): Promise<OpenStream> {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}/v1/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: closing.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const chunk = await reader?.read();
          if (chunk === undefined || chunk.done) return null;
          text += chunk.value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field('data');
        if (data !== undefined) return { id: field('id') ?? null, data: JSON.parse(data) };
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      // Ignores the error, because the signal has already ended the stream.
      await reader?.cancel().catch(() => undefined);
    },
  };
}

/** Tests GET /v1/events/stream, an addition to v1 (`docs/api.md#versioning`). */
export const eventStream: Suite = (driver) => {
  const api = () => client(driver(), driver().test_key);
  const open = (query = '', lastEventId?: string) =>
    openStream(driver().base_url, driver().test_key, query, lastEventId);

  test('4.4: events arrive as they happen, as lists show them, in the order of their domain', async () => {
    await addDomain(api(), 'before.acme.com');
    await using stream = await open();
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('x-request-id')).toMatch(/./);
    const { id } = await addDomain(api(), 'dns-record-missing.acme.com');
    const first = await stream.next();
    expect(mismatches(EVENT, first?.data)).toEqual([]);
    expect(first?.id).toMatch(/^\S{10,500}$/);
    await api().delete(`/v1/domains/${id}`);
    const second = await stream.next();
    expect([first, second].map((frame) => frame?.data)).toMatchObject([
      { type: 'domain.created', domain_id: id },
      { type: 'domain.deleted', domain_id: id },
    ]);
    const listed = await eventsOf(api(), id);
    expect(listed.map((event) => event.id)).toEqual([first?.data?.id, second?.data?.id]);
  });

  test.each([
    ['the id of a frame', (frame: Frame) => frame.id, ['domain.verified', 'domain.active']],
    // An event's id contains only a time. So the stream also returns earlier events, because they may have been committed later.
    [
      'the id of an event',
      (frame: Frame) => frame.data?.id,
      ['domain.created', 'domain.verified', 'domain.active'],
    ],
  ])('4.4: Last-Event-ID continues with %s where a stream was cut off', async (_, idOf, expected) => {
    const { id } = await addDomain(api(), 'careers.acme.com');
    let last: string;
    {
      await using stream = await open('?type=domain.created', 'evt_00000000000000000000000000');
      const frame = await stream.next();
      last = (frame && idOf(frame)) ?? '';
    }
    await driver().advance('10s');
    await using stream = await open('', last);
    const types: unknown[] = [];
    while (types.length < expected.length) {
      const frame = await stream.next();
      expect(frame?.data?.domain_id).toBe(id);
      types.push(frame?.data?.type);
    }
    expect(types).toEqual(expected);
  });

  test('4.4: type and domain_id filter the stream, and other modes and apps are not visible', async () => {
    const { id } = await addDomain(api(), 'careers.acme.com');
    await using stream = await open(`?domain_id=${id}&type=domain.deleted`);
    await addDomain(client(driver(), driver().live_key), 'live.acme.com');
    const other = await driver().createApp({ name: 'Other' });
    await addDomain(client(driver(), other.test_key), 'careers.other.com');
    await addDomain(api(), 'jobs.acme.com');
    await driver().advance('10s');
    await api().delete(`/v1/domains/${id}`);
    expect((await stream.next())?.data).toMatchObject({ type: 'domain.deleted', domain_id: id });
  });

  test('4.4: a stream that is not read waits, and then delivers every event', async () => {
    await using stream = await open('?type=domain.created');
    const added = new Set<string>();
    for (let count = 0; count < 60; count++) added.add((await addDomain(api(), `shop-${count}.acme.com`)).id);
    for (let count = 0; count < 60; count++) added.delete((await stream.next())?.data?.domain_id ?? '');
    expect([...added]).toEqual([]);
  });

  test('4.4: an invalid request is refused before the stream begins', async () => {
    (await client(driver(), null).get('/v1/events/stream')).refused('unauthorized');
    expect((await api().get('/v1/events/stream?type=nonsense')).faults()).toEqual(['type']);
    for (const id of ['evt_01k00000000000000000000000', 'nonsense', `evt_${'9'.repeat(300)}`]) {
      const answer = await api().send('GET', '/v1/events/stream', { headers: { 'last-event-id': id } });
      expect(answer.faults()).toEqual(['Last-Event-ID']);
    }
  });

  test('5.2: revoking a key ends its streams within 5 seconds', async () => {
    const made = JSON.parse((await api().post('/v1/keys', { name: 'CI', mode: 'test' })).text) as {
      id: string;
      key: string;
    };
    await using stream = await openStream(driver().base_url, made.key);
    (await api().delete(`/v1/keys/${made.id}`)).empty();
    const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'late'));
    expect(await Promise.race([stream.next(), late])).toBeNull();
    await addDomain(api(), 'careers.acme.com');
    expect(await stream.next()).toBeNull();
  });

  test('8: a key has at most five streams, and a closed one frees its place', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
    const refused = await api().get('/v1/events/stream');
    refused.refused('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('5');
    await streams[0]?.[Symbol.asyncDispose]();
    await expect
      .poll(async () => {
        const again = await open();
        streams.push(again);
        return again.response.status;
      })
      .toBe(200);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  });
};
