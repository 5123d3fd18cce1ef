import { expect, test } from 'vitest';
import { addDomain, client, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import { CERTIFICATES } from '../resources.ts';

/** Tests GET /v1/domains/{id}/certificates, an addition to the contract. */
export const certificates: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const list = async (id: string, query = '') =>
    (await testMode().get(`/v1/domains/${id}/certificates${query}`)).as(200, CERTIFICATES);

  /** Adds an active domain, and renews its certificate a number of times. */
  async function renewed(hostname: string, times: number): Promise<string> {
    const { id } = await addDomain(testMode(), hostname);
    for (const trigger of ['dns_confirmed', 'certificate_issued']) await driver().trigger(id, trigger);
    for (let renewals = 0; renewals < times; renewals++) {
      await driver().advance('1h');
      await driver().trigger(id, 'certificate_renewed');
    }
    return id;
  }

  test('a domain without a certificate has no history', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    expect(await list(id)).toEqual({ data: [], next_cursor: null });
  });

  test('lists the current certificate first, and until when each one before it was served', async () => {
    const id = await renewed('careers.acme.com', 2);
    const { data } = await list(id);
    expect(data).toHaveLength(3);
    const { certificate } = await getDomain(testMode(), id);
    const { issuer, not_before, not_after } = certificate ?? {};
    expect(data[0]).toMatchObject({ issuer, not_before, not_after, names: ['careers.acme.com'] });
    expect(data[0]).toMatchObject({ serial_number: null, served_until: null });
    expect(data.slice(1).map(({ served_until }) => served_until)).toEqual(
      data.slice(0, -1).map(({ served_from }) => served_from),
    );
  });

  test('pages through the history', async () => {
    const id = await renewed('careers.acme.com', 2);
    const whole = (await list(id)).data;
    const first = await list(id, '?limit=2');
    expect(first.data).toEqual(whole.slice(0, 2));
    const second = await list(id, `?limit=2&cursor=${first.next_cursor}`);
    expect(second).toEqual({ data: whole.slice(2), next_cursor: null });
    expect((await testMode().get(`/v1/domains/${id}/certificates?limit=0`)).faults()).toEqual(['limit']);
  });

  test('a cursor is valid only in the list of its domain', async () => {
    const id = await renewed('careers.acme.com', 1);
    const other = await renewed('jobs.acme.com', 1);
    const { next_cursor } = await list(id, '?limit=1');
    const path = `/v1/domains/${other}/certificates?limit=1&cursor=${next_cursor}`;
    expect((await testMode().get(path)).faults()).toEqual(['cursor']);
  });

  test('the history of a deleted domain, of another mode or of nothing is not found', async () => {
    const id = await renewed('careers.acme.com', 0);
    (await live().get(`/v1/domains/${id}/certificates`)).refused('not_found');
    (await testMode().delete(`/v1/domains/${id}`)).empty();
    (await testMode().get(`/v1/domains/${id}/certificates`)).refused('not_found');
    (await testMode().get('/v1/domains/dom_nothing/certificates')).refused('not_found');
  });
};
