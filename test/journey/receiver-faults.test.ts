import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { rawServer } from '../fixtures/raw-server.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';

interface Fault {
  /** Handles a request with this fault. */
  request: (socket: Socket) => void;
  status_code: number | null;
  error: string | null;
}

const OK = 'HTTP/1.1 200 OK\r\n';

/** Faults of a receiver, each with the error that the delivery records (`docs/api.md#event`). */
const FAULTS: Record<string, Fault> = {
  'resets the connection': {
    request: (socket) => socket.resetAndDestroy(),
    status_code: null,
    error: 'connection_failed',
  },
  'hangs up without a word': {
    request: (socket) => socket.destroy(),
    status_code: null,
    error: 'connection_failed',
  },
  'responds with garbage': {
    request: (socket) => socket.end('\x00\x01\x02 this is no HTTP at all\r\n\r\n'),
    status_code: null,
    error: 'connection_failed',
  },
  'responds with an invalid status': {
    request: (socket) => socket.end('HTTP/1.1 abc Nonsense\r\n\r\n'),
    status_code: null,
    error: 'connection_failed',
  },
  'responds with endless headers': {
    request: (socket) => {
      socket.write(`${OK}${'X-Filler: 0123456789abcdef\r\n'.repeat(50_000)}`);
    },
    status_code: null,
    error: 'connection_failed',
  },
  'breaks off in the middle of the head': {
    request: (socket) => {
      socket.write(`${OK}Content-Length: 1`, () => socket.destroy());
    },
    status_code: null,
    error: 'connection_failed',
  },
  redirects: {
    request: (socket) => {
      socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n');
    },
    status_code: 302,
    error: null,
  },
  refuses: {
    request: (socket) => socket.end('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n'),
    status_code: 410,
    error: null,
  },
};

describe('a faulty webhook receiver', () => {
  test.each(Object.entries(FAULTS))(
    'that %s gets retries on schedule, and the emulator records each attempt',
    async (_, { request, status_code, error }) => {
      await using bad = await rawServer({ request });
      await using good = await startReceiver();
      await using underTest = await emulatorUnderTest({ webhook: `http://127.0.0.1:${bad.port}` });
      const { api, control } = underTest;
      const { id } = (await api('POST /domains', { hostname: 'careers.acme.com' })).body;
      await control('POST /clock/advance', { by: '10s' });
      expect((await api(`GET /domains/${id}`)).body.status).toBe('active');
      const [event] = (await api(`GET /events?type=domain.created`)).body.data;
      const { deliveries } = (await api(`GET /events/${event?.id}`)).body;
      expect(deliveries).toMatchObject([{ attempt: 1, status_code, error, delivered_at: null }]);
      await control('POST /clock/advance', { by: '51s' });
      expect((await api(`GET /events/${event?.id}`)).body['delivery']).toMatchObject({
        status: 'pending',
        attempts: 2,
        last_status_code: status_code,
        last_error: error,
      });

      // Once a working receiver replaces the faulty one, all events of the domain arrive in order.
      await api('PATCH /apps/current', { webhook_url: good.url });
      await control('POST /clock/advance', { until: 'idle' });
      expect(good.arrivals.map(({ type }) => type)).toEqual([
        'domain.created',
        'domain.verified',
        'domain.active',
      ]);
    },
  );

  test.each<[string, (socket: Socket) => void]>([
    ['drips its body', (socket) => socket.write(`${OK}Content-Length: 1000000\r\n\r\nx`)],
    ['breaks off in its body', (socket) => socket.end(`${OK}Content-Length: 100\r\n\r\nhalf`)],
    ['has a body without end', (socket) => socket.write(`${OK}\r\n${'x'.repeat(1_000_000)}`)],
  ])(
    'that %s after the head of a 2xx response has got the event, and the emulator closes the connection',
    async (_, request) => {
      await using receiver = await rawServer({ request });
      await using underTest = await emulatorUnderTest({ webhook: `http://127.0.0.1:${receiver.port}` });
      const { api, control } = underTest;
      await api('POST /domains', { hostname: 'dns-record-missing.acme.com' });
      await control('POST /clock/advance', { by: '0s' });
      const [event] = (await api('GET /events')).body.data;
      expect(event?.['delivery']).toMatchObject({
        status: 'delivered',
        attempts: 1,
        last_status_code: 200,
        last_error: null,
      });
      await receiver.ended();
    },
  );

  test('that does not exist causes the error connection_failed', async () => {
    const gone = await rawServer({});
    const { port } = gone;
    await gone[Symbol.asyncDispose]();
    await using underTest = await emulatorUnderTest({ webhook: `http://127.0.0.1:${port}` });
    await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    await underTest.control('POST /clock/advance', { by: '0s' });
    const [event] = (await underTest.api('GET /events')).body.data;
    expect(event).toMatchObject({ delivery: { attempts: 1, last_error: 'connection_failed' } });
  });

  // Runs in real time, because the docs promise a timeout of ten seconds. Both cases run concurrently.
  test('that hangs or sends its head byte by byte gets a timeout after ten seconds, while another app is served', async () => {
    const drips: NodeJS.Timeout[] = [];
    await using hanging = await rawServer({ request: () => undefined });
    await using dripping = await rawServer({
      request(socket) {
        socket.write(`${OK}X-Slow: `);
        drips.push(setInterval(() => socket.writable && socket.write('x'), 50));
      },
    });
    await using good = await startReceiver();
    await using underTest = await emulatorUnderTest({ clock: 'real' });
    const { api, control } = underTest;
    const apps: { key: string; app: string }[] = [];
    for (const { url } of [
      { url: `http://127.0.0.1:${hanging.port}` },
      { url: `http://127.0.0.1:${dripping.port}` },
      good,
    ]) {
      const { test_key: key } = (await control('POST /apps', { name: url })).body;
      await api('PATCH /apps/current', { webhook_url: url }, key);
      apps.push({ key, app: url });
    }
    for (const { key } of apps) await api('POST /domains', { hostname: 'careers.acme.com' }, key);
    // The other app's event must arrive while the two events of the hanging receiver are pending.
    await good.until(1);
    const pending = async (index: number) => {
      const { data } = (await api('GET /events?type=domain.created', undefined, apps[index]?.key)).body;
      return data[0]?.['delivery'];
    };
    expect(await pending(0)).toMatchObject({ status: 'pending', last_error: null });
    for (const index of [0, 1]) {
      await expect
        .poll(() => pending(index), { interval: 200 })
        .toMatchObject({ status: 'pending', attempts: 1, last_error: 'timeout', last_status_code: null });
    }
    for (const drip of drips) clearInterval(drip);
    // Once the timeout has passed, the delivery slots are free again.
    await hanging.ended();
    await dripping.ended();
  });
});
