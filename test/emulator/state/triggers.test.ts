import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
});
afterEach(() => underTest[Symbol.asyncDispose]());

async function add(hostname = 'careers.acme.com'): Promise<string> {
  return (await underTest.api('POST /domains', { hostname })).body.id;
}

async function trigger(id: string, name: string, reason?: string) {
  return underTest.control(`POST /domains/${id}/trigger`, { trigger: name, ...(reason && { reason }) });
}

async function typesOf(id: string): Promise<unknown[]> {
  const { data } = (await underTest.api(`GET /events?domain_id=${id}`)).body;
  return data.map(({ type }) => type).reverse();
}

describe('POST /domains/{id}/trigger forces a transition of a domain', () => {
  test('takes a domain through the state machine; each step has its status and its event', async () => {
    const id = await add();
    for (const [name, status] of [
      ['dns_seen', 'verifying'],
      ['dns_unseen', 'pending_dns'],
      ['dns_confirmed', 'issuing'],
      ['issuance_failed', 'cert_failed'],
      ['retry_issuance', 'issuing'],
      ['certificate_issued', 'active'],
      ['certificate_renewed', 'active'],
      ['dns_gone', 'dns_broken'],
      ['dns_confirmed', 'active'],
      ['renewal_failed', 'cert_failed'],
      ['certificate_issued', 'active'],
      ['hold', 'held'],
      ['release', 'active'],
      ['delete', 'deleted'],
    ] as const) {
      const { status: http, body } = await trigger(id, name);
      expect({ name, http, domain: body['domain'] }).toMatchObject({
        name,
        http: 200,
        domain: { id, status },
      });
    }
    expect(await typesOf(id)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.cert_failed',
      'domain.active',
      'domain.certificate_renewed',
      'domain.dns_broken',
      'domain.active',
      'domain.cert_failed',
      'domain.active',
      'domain.held',
      'domain.released',
      'domain.deleted',
    ]);
    expect((await underTest.api(`GET /domains/${id}`)).status).toBe(404);
  });

  test('challenge_delegated gives a domain in pending_dns its certificate before the DNS switch, without an event', async () => {
    const id = await add('dns-record-missing.acme.com');
    const { body } = await trigger(id, 'challenge_delegated');
    expect(body['domain']).toMatchObject({
      status: 'pending_dns',
      ready_to_switch: true,
      dns: {
        acme_challenge: {
          name: '_acme-challenge.dns-record-missing',
          value: expect.stringMatching(/^[0-9a-f]{32}\.acme\.edge\.nameplate\.test$/),
        },
      },
    });
    await trigger(id, 'dns_confirmed');
    expect((await underTest.api(`GET /domains/${id}`)).body).toMatchObject({ ready_to_switch: false });
    await underTest.control('POST /clock/advance', { by: '5s' });
    expect((await underTest.api(`GET /domains/${id}`)).body).toMatchObject({ status: 'active' });
    expect(await typesOf(id)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  });

  test('the test hostname ready-to-switch gets its certificate before its DNS record without a trigger', async () => {
    const id = await add('ready-to-switch.acme.com');
    await underTest.control('POST /clock/advance', { by: '3s' });
    const { body } = await underTest.api(`GET /domains/${id}`);
    expect(body).toMatchObject({ status: 'pending_dns', ready_to_switch: true });
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect((await underTest.api(`GET /domains/${id}`)).body).toMatchObject({
      status: 'active',
      ready_to_switch: false,
    });
    expect(await typesOf(id)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  });

  test('the test hostname short-lived renews its certificate after 80 hours without a trigger', async () => {
    const id = await add('short-lived.acme.com');
    await underTest.control('POST /clock/advance', { by: '79h' });
    expect(await typesOf(id)).not.toContain('domain.certificate_renewed');
    await underTest.control('POST /clock/advance', { by: '2h' });
    expect(await typesOf(id)).toContain('domain.certificate_renewed');
  });

  test('challenge_delegated is refused for a domain whose record is already confirmed', async () => {
    const id = await add();
    await trigger(id, 'dns_confirmed');
    const { status, body } = await trigger(id, 'challenge_delegated');
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('certificate_issued');
  });

  test('accepts a hostname of the default app, and reports an unknown hostname', async () => {
    const id = await add('Hosts.acme.com');
    expect((await trigger('Hosts.acme.com', 'dns_seen')).body).toMatchObject({
      domain: { id, status: 'verifying' },
    });
    const { status, body } = await trigger('nobody.acme.com', 'dns_seen');
    expect(status).toBe(404);
    expect(body['error']).toMatchObject({
      code: 'not_found',
      message: 'The default app has no domain nobody.acme.com.',
      fix: expect.stringContaining('or the id of a domain'),
    });
    const unknown = await trigger('dom_0', 'dns_seen');
    expect(unknown.body['error']).toMatchObject({
      code: 'not_found',
      message: 'There is no domain dom_0.',
      fix: expect.not.stringContaining('mode'),
    });
  });

  test('window_passed expires the domain, and its hostname can be added again under the same id', async () => {
    const id = await add();
    expect((await trigger(id, 'window_passed')).body).toMatchObject({ domain: { status: 'expired' } });
    const again = await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    expect(again).toMatchObject({ status: 200, body: { id, status: 'pending_dns' } });
  });

  test('sets the status_reason to the given reason', async () => {
    const id = await add();
    await trigger(id, 'dns_confirmed');
    const { body } = await trigger(id, 'issuance_failed', 'caa_forbids');
    expect(body).toMatchObject({ domain: { status: 'cert_failed', status_reason: 'caa_forbids' } });
    expect((await underTest.api(`GET /domains/${id}`)).body['status_reason']).toBe('caa_forbids');
  });

  test('an impossible trigger gets 409 with the possible triggers, and changes nothing', async () => {
    const id = await add();
    const { status, body } = await trigger(id, 'certificate_issued');
    expect(status).toBe(409);
    expect(body.error.status_detail).toMatchObject({ status: 'pending_dns' });
    const possible = body.error.status_detail['possible'] as string[];
    expect(possible).toEqual(
      expect.arrayContaining(['dns_seen', 'dns_confirmed', 'window_passed', 'hold', 'delete']),
    );
    expect(possible).not.toContain('certificate_issued');
    expect(await typesOf(id)).toEqual(['domain.created']);
    for (const name of possible.filter((each) => each !== 'delete')) {
      const other = await add(`${name.replaceAll('_', '-')}.example.org`);
      expect({ name, status: (await trigger(other, name)).status }).toEqual({ name, status: 200 });
    }
  });

  test.each([
    [{}, 422],
    [{ trigger: 'explode' }, 422],
    [{ trigger: 'create' }, 422],
    [{ trigger: 'dns_seen', reason: 'Not a code' }, 422],
    [{ trigger: 'dns_seen', status: 'active' }, 422],
  ])('the request body %j gets the status %i', async (body, status) => {
    const id = await add();
    expect((await underTest.control(`POST /domains/${id}/trigger`, body)).status).toBe(status);
  });

  test('a domain that does not exist or was deleted gets 404', async () => {
    expect((await trigger('dom_nothing', 'dns_seen')).status).toBe(404);
    const id = await add();
    await underTest.api(`DELETE /domains/${id}`);
    expect((await trigger(id, 'dns_seen')).status).toBe(404);
  });
});

describe("the emulator's holds work like an operator's", () => {
  const hold = (hostname: string) => underTest.control('POST /holds', { hostname });
  const release = (hostname: string) => underTest.control(`DELETE /holds/${encodeURIComponent(hostname)}`);
  const status = async (id: string) => (await underTest.api(`GET /domains/${id}`)).body.status;

  test('a hold makes the domain held, and its release restores the earlier status, each with an event', async () => {
    const id = await add();
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect(await hold('careers.acme.com')).toMatchObject({
      status: 200,
      body: { hostname: 'careers.acme.com', reason: null },
    });
    expect(await status(id)).toBe('held');
    expect((await release('careers.acme.com')).status).toBe(204);
    expect(await status(id)).toBe('active');
    expect((await typesOf(id)).slice(-2)).toEqual(['domain.held', 'domain.released']);
  });

  test('a hold of *.name applies to all names below the name, but not to the name itself', async () => {
    const [below, deeper, itself] = [await add(), await add('a.b.acme.com'), await add('acme.com')];
    await hold('*.acme.com');
    expect([await status(below), await status(deeper), await status(itself)]).toEqual([
      'held',
      'held',
      'pending_dns',
    ]);
    const refused = await underTest.api('POST /domains', { hostname: 'new.acme.com' });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'hostname_held' } } });
    expect((await release('*.acme.com')).status).toBe(204);
    expect((await underTest.api('POST /domains', { hostname: 'new.acme.com' })).status).toBe(201);
  });

  test('a hold of a Unicode name can be released in the original spelling, and an undecodable path gets 404', async () => {
    const id = await add('bücher.example');
    await hold('bücher.example');
    expect(await status(id)).toBe('held');
    expect((await release('bücher.example')).status).toBe(204);
    expect(await status(id)).toBe('pending_dns');
    expect((await underTest.control('DELETE /holds/%ff')).status).toBe(404);
  });

  test('a domain under two holds is held until both are released, and a repeated hold is one hold', async () => {
    const id = await add();
    await hold('careers.acme.com');
    await hold('careers.acme.com');
    await hold('*.acme.com');
    expect((await underTest.control('GET /holds')).body.data).toHaveLength(2);
    await release('careers.acme.com');
    expect(await status(id)).toBe('held');
    await release('*.acme.com');
    expect(await status(id)).toBe('pending_dns');
    expect((await typesOf(id)).filter((type) => type === 'domain.held')).toHaveLength(1);
  });

  test('the trigger release is refused while a hold applies to the domain, and the error names the hold', async () => {
    const id = await add();
    const possible = async () =>
      (await underTest.control(`GET /domains/${id}`)).body['possible'] as unknown as string[];
    await hold('careers.acme.com');
    await hold('*.acme.com');
    expect(await possible()).toEqual(['delete']);
    await release('careers.acme.com');
    expect(await possible()).toEqual(['delete']);
    const refused = await trigger(id, 'release');
    expect(refused.body.error).toMatchObject({
      code: 'hostname_held',
      fix: 'Release the hold of *.acme.com: that releases the domain too.',
    });
    expect((await trigger(id, 'dns_seen')).body.error.status_detail).toEqual({
      status: 'held',
      possible: ['delete'],
    });
    await release('*.acme.com');
    await trigger(id, 'hold');
    expect(await possible()).toEqual(['delete', 'release']);
  });

  test('a hold stops the timer of a test domain, and its release restarts the timer', async () => {
    const id = await add();
    await hold('careers.acme.com');
    await underTest.control('POST /clock/advance', { by: '100h' });
    expect(await status(id)).toBe('held');
    await release('careers.acme.com');
    await underTest.control('POST /clock/advance', { until: 'idle' });
    expect(await status(id)).toBe('active');
  });

  test('a hold of an invalid name gets 422, and the release of an unknown hold gets 404', async () => {
    for (const hostname of ['', 'a b', 'http://acme.com', '*.*.acme.com', '127.0.0.1']) {
      expect({ hostname, status: (await hold(hostname)).status }).toEqual({ hostname, status: 422 });
    }
    expect((await release('nobody.example')).status).toBe(404);
  });
});
