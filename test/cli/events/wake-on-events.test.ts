import { afterAll, beforeAll, expect, test } from 'vitest';
import { wakeOnEvents } from '../../../cli/events/follow-events.ts';
import { createPacer } from '../../../cli/events/pacer.ts';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { TEST_KEY } from '../resources.ts';

const HOUR_MS = 3_600_000;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const client = () => createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });

test('an event on the stream ends the pause between two polls, and the stream ends when polling is stopped', async () => {
  const pacer = createPacer();
  const ringing = wakeOnEvents(client(), pacer);
  let isOver = false;
  const paused = pacer.pause(HOUR_MS).then(() => {
    isOver = true;
  });
  // Creates events repeatedly, because the stream contains only events that were created after it was opened.
  for (let n = 0; n < 100 && !isOver; n++) {
    await client().domains.create({ hostname: `ring-${n}.acme.com` });
    await Promise.race([paused, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  expect(isOver).toBe(true);
  pacer.stop();
  await ringing;
});

test.each([
  [404, 'not_found'],
  [401, 'unauthorized'],
  [429, 'too_many_streams'],
])(
  'a server that refuses the stream with %i causes no error, and polling continues at its own pace',
  async (status, code) => {
    await using api = await startFakeApi({ 'GET /v1/events/stream': apiError(status, code) });
    const pacer = createPacer();
    const ringing = wakeOnEvents(createClient({ baseUrl: api.url, apiKey: TEST_KEY }), pacer);
    await expect.poll(() => api.requests.length).toBeGreaterThan(0);
    if (status === 429) pacer.stop();
    await ringing;
  },
);

test('the CLI opens a new stream if the server no longer knows the old position, as after a reset', async () => {
  const refused = apiError(422, 'validation_failed');
  await using api = await startFakeApi({ 'GET /v1/events/stream': [refused, apiError(404, 'not_found')] });
  await wakeOnEvents(createClient({ baseUrl: api.url, apiKey: TEST_KEY }), createPacer());
  expect(api.requests).toHaveLength(2);
});
