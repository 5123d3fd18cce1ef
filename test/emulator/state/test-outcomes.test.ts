import { expect, test } from 'vitest';
import { TEST_OUTCOMES } from '../../../emulator/start.ts';
import { FORCED_OUTCOMES as TABLE } from '../../../shared/core/domains/test-mode.ts';
import { emulatorUnderTest } from '../running/emulator-under-test.ts';

const refused = TEST_OUTCOMES.filter(({ refusedWith }) => refusedWith !== null);
const created = TEST_OUTCOMES.filter(({ refusedWith }) => refusedWith === null);

test('the fixture has a row for every test label, and one without a label', () => {
  expect(TEST_OUTCOMES.map(({ label }) => label)).toEqual(['', ...TABLE.map(({ label }) => label)]);
  expect(refused.length).toBeGreaterThan(0);
});

test.each(refused)('$hostname $summary', async ({ hostname, refusedWith }) => {
  await using underTest = await emulatorUnderTest();
  const { status, body } = await underTest.api('POST /domains', { hostname });
  expect({ status, code: body.error.code }).toEqual(refusedWith);
  expect((await underTest.api('GET /domains')).body.data).toEqual([]);
});

test('every other outcome takes its course on the emulator, exact to the millisecond', async () => {
  await using underTest = await emulatorUnderTest();
  const { api, control } = underTest;
  const ids = new Map<string, string>();
  for (const { hostname } of created) ids.set(hostname, (await api('POST /domains', { hostname })).body.id);
  /** Lists the domains in one request, because the API's rate limit counts in real time. */
  const look = async () => {
    const { data } = (await api('GET /domains?limit=100')).body;
    return new Map(data.map((domain) => [domain['hostname'], domain]));
  };
  const seen = new Map<string, object[]>(created.map(({ hostname }) => [hostname, []]));
  const times = [...new Set(created.flatMap(({ course }) => course.map(({ afterMs }) => afterMs)))];
  let nowMs = 0;
  for (const afterMs of times.sort((one, other) => one - other)) {
    if (afterMs > 0) {
      await control('POST /clock/advance', { by: `${afterMs - nowMs - 1}ms` });
      const early = await look();
      for (const { hostname, course } of created) {
        const before = course.findLast((step) => step.afterMs < afterMs);
        expect([hostname, early.get(hostname)?.status]).toEqual([hostname, before?.status]);
      }
      await control('POST /clock/advance', { by: '1ms' });
      nowMs = afterMs;
    }
    const now = await look();
    for (const { hostname, course } of created) {
      if (!course.some((each) => each.afterMs === afterMs)) continue;
      const domain = now.get(hostname);
      const statusReason = domain?.['status_reason'];
      seen.get(hostname)?.push({ afterMs, status: domain?.status, status_reason: statusReason });
    }
  }
  for (const { hostname, course } of created) {
    expect({ hostname, course: seen.get(hostname) }).toEqual({
      hostname,
      course: course.map(({ event: _, ...step }) => step),
    });
    const { data } = (await api(`GET /events?domain_id=${ids.get(hostname)}&limit=100`)).body;
    const events = course.flatMap(({ event }) => event ?? []);
    expect({ hostname, events: data.map(({ type }) => type).toReversed() }).toEqual({ hostname, events });
  }
});
