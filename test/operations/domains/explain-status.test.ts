import { expect, test } from 'vitest';
import { explainStatus } from '../../../shared/operations/domains/explain-status.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { findDomain } from '../../../shared/store/domains/domains.ts';
import { jobWorld } from '../../jobs/job-world.ts';

test('the hint of a status reason names the DNS record that the reason is about', async () => {
  await using world = await jobWorld();
  const { settings, store } = world.context;
  const caller = await world.addApp('acme');
  const app = await getApp(store, caller.app_id);
  const target = `${app.target_label}.${settings.edgeZone}`;
  const domain = await findDomain(store, caller, await world.addDomain(caller, 'careers.acme.com'));
  if (domain === null) throw new Error('there is no domain');
  const expected = (reason: string) =>
    explainStatus(settings, { app, ownTarget: target, host: null }, domain, reason, 0)?.expected;
  expect(expected('dns_record_missing')).toBe(target);
  expect(expected('dns_txt_missing')).toBe(domain.txt_value);
  expect(
    explainStatus(settings, { app, ownTarget: target, host: null }, domain, 'dns_txt_missing', 0)?.hint,
  ).toContain('_service.careers');
  const host = { whitelabel_host: 'sites.agency.com', whitelabel_found: 'old.example.net' };
  const broken = explainStatus(
    settings,
    { app: { ...app, ...host }, ownTarget: target, host: null },
    domain,
    'whitelabel_unverified',
    0,
  );
  expect(broken).toMatchObject({ expected: target, found: 'old.example.net' });
  expect(broken?.hint).toContain('sites.agency.com');
  expect(broken?.hint).not.toContain('careers');
  expect(expected('caa_forbids')).not.toContain(target);
  const ended = explainStatus(
    settings,
    { app: { ...app, ...host }, ownTarget: target, host: null },
    domain,
    'whitelabel_ended',
    0,
  );
  expect(ended).toMatchObject({ expected: target, found: 'sites.agency.com' });
  expect(ended?.hint).toContain('the CNAME record careers to');
});
