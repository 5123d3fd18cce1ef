import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { transact } from '../../../shared/operations/context.ts';
import { claimHostname } from '../../../shared/operations/domains/claim-hostname.ts';
import { recordTransition } from '../../../shared/operations/domains/record-transition.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { storedReader } from '../edge/stored-values.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const [APEX, WWW] = ['acme.com', 'www.acme.com'];

/** Gives `www` its own route, which belongs to the apex, as a check of `www` does. */
async function claimWww({ world: { context }, domain }: CertificateWorld, apex: DomainId): Promise<void> {
  const owner = await domain(apex);
  await transact(context, (tx) => claimHostname(tx, owner, WWW, { isNew: true, record: recordTransition }));
}

/** Returns the hostname that serves the visitors of `www`, after a redirect. */
async function endOf({ world: { context } }: CertificateWorld): Promise<string | null> {
  const found = (await storedReader(context)).findRoute(WWW);
  return found === null || found === 'held' ? found : (found.redirectTo ?? found.hostname);
}

async function serialOf({ world: { context } }: CertificateWorld): Promise<string | undefined> {
  return (await (await storedReader(context)).certificates.findCertificate(WWW))?.serial;
}

const newest = ({ world: { context } }: CertificateWorld, id: DomainId) =>
  findNewestCertificate(context.store, id);

test.each([
  ['covers', [APEX, WWW]],
  ['lacks', [APEX]],
] as const)(
  'a domain takes www once the edge presents its certificate, if the certificate of the apex %s www',
  async (_, names) => {
    await using under = await certificateWorld();
    if (names.length === 2) under.right.add(WWW);
    const apex = await under.addIssuing(APEX, { apex_redirect: 'www' });
    await under.pass(MINUTE_MS);
    expect((await newest(under, apex))?.names).toEqual(names);
    await claimWww(under, apex);
    const ends: (string | null)[] = [];
    const { showsCertificate } = under.edge;
    under.edge.showsCertificate = async (hostname, serial) => {
      if (hostname === WWW) ends.push(await endOf(under));
      return showsCertificate(hostname, serial);
    };
    const own = await under.addIssuing(WWW);
    expect(await endOf(under)).toBe(APEX);
    await under.pass(MINUTE_MS);
    expect((await under.domain(own)).status).toBe('active');
    expect(ends).toEqual([APEX]);
    expect([await endOf(under), await serialOf(under)]).toEqual([WWW, (await newest(under, own))?.serial]);
  },
);

test('an apex that takes www redirects it once the certificate of the apex covers www', async () => {
  await using under = await certificateWorld();
  const own = await under.addIssuing(WWW);
  const apex = await under.addIssuing(APEX, { apex_redirect: 'www' });
  await under.pass(MINUTE_MS);
  await claimWww(under, apex);
  expect([await endOf(under), await serialOf(under)]).toEqual([WWW, (await newest(under, own))?.serial]);
  under.right.add(WWW);
  await under.pass(2 * HOUR_MS);
  const joined = await newest(under, apex);
  expect(joined?.names).toEqual([APEX, WWW]);
  expect([await endOf(under), await serialOf(under)]).toEqual([APEX, joined?.serial]);
});
