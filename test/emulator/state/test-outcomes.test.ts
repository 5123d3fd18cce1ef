import { expect, test } from 'vitest';
import { TEST_OUTCOMES } from '../../../emulator/start.ts';
import { FIXABLE_CODES } from '../../../shared/core/dns/changes/finding-changes.ts';
import type { StatusDetail } from '../../../shared/core/domains/domain.ts';
import { FORCED_OUTCOMES as TABLE } from '../../../shared/core/domains/test-mode.ts';
import { isReasonCode, REASONS, type ReasonCode } from '../../../shared/core/reasons.ts';
import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import { emulatorUnderTest } from '../running/emulator-under-test.ts';

const refused = TEST_OUTCOMES.filter(({ refusedWith }) => refusedWith !== null);
const created = TEST_OUTCOMES.filter(({ refusedWith }) => refusedWith === null);

test('the list of test outcomes has a row for every test label, and a row for hostnames without a label', () => {
  expect(TEST_OUTCOMES.map(({ label }) => label)).toEqual(['', ...TABLE.map(({ label }) => label)]);
  expect(refused.length).toBeGreaterThan(0);
});

test.each(refused)(
  'the emulator refuses the test hostname $hostname: $summary',
  async ({ hostname, refusedWith }) => {
    await using underTest = await emulatorUnderTest();
    const { status, body } = await underTest.api('POST /domains', { hostname });
    expect({ status, code: body.error.code }).toEqual(refusedWith);
    expect((await underTest.api('GET /domains')).body.data).toEqual([]);
  },
);

test('every other test hostname goes through its statuses on the emulator, exact to the millisecond', async () => {
  await using underTest = await emulatorUnderTest();
  const { api, control } = underTest;
  const ids = new Map<string, string>();
  for (const { hostname } of created) ids.set(hostname, (await api('POST /domains', { hostname })).body.id);
  /** Lists all domains in one request, because the API's rate limit runs in real time. */
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

test('every forced status reason has the values that its hint uses, and suggests changes if DNS records can fix the fault', async () => {
  await using underTest = await emulatorUnderTest();
  const { api, control } = underTest;
  const forced = created.filter(({ label }) => isForced(label.replaceAll('-', '_')));
  expect(forced.length).toBeGreaterThan(35);
  for (const { hostname } of forced) await api('POST /domains', { hostname });
  await control('POST /clock/advance', { by: '10s' });
  const { data } = (await api('GET /domains?limit=100')).body;
  const details = new Map(
    data.map((domain) => [domain['status_reason'], domain['status_detail'] as StatusDetail]),
  );
  for (const [reason, detail] of details) {
    const code = reason as ReasonCode;
    if (REASONS[code].hint.includes('{found}'))
      expect({ code, found: detail.found }).toEqual({ code, found: expect.any(String) });
    expect({ code, isFixable: (detail.changes ?? []).length > 0 }).toEqual({
      code,
      isFixable: FIXABLE_CODES.some((fixable) => fixable === code),
    });
  }
  expect(details.get('caa_forbids')?.changes).toMatchObject([
    { action: 'add', type: 'CAA', zone: 'acme.com', name: '@', value: '0 issue "letsencrypt.org"' },
  ]);
  const mismatch = data.find((domain) => domain['hostname'] === 'dns-record-mismatch.acme.com');
  const { findings } = (await api(`GET /domains/${mismatch?.id}/diagnosis`)).body as unknown as Diagnosis;
  expect(findings).toMatchObject([
    {
      code: 'dns_record_mismatch',
      found: 'shops.example.net',
      changes: [{ action: 'replace', type: 'CNAME', of: { type: 'CNAME', value: 'shops.example.net' } }],
    },
  ]);
});

function isForced(reason: string): boolean {
  return isReasonCode(reason) && ['dns', 'ca'].includes(REASONS[reason].group);
}
