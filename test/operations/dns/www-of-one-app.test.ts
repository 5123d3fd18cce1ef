import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { addresses, dnsWorld, EDGE_ZONE, everywhere } from './dns-world.ts';

const APEX = 'acme.com';
const WWW = 'www.acme.com';
const CHECKS = 6;

test.each([
  ['before', [WWW, APEX]],
  ['after', [APEX, WWW]],
] as const)(
  'a www domain that an app adds %s the apex that redirects the name goes live and stays live',
  async (_, order) => {
    await using world = await dnsWorld();
    const caller = await world.addLiveApp('acme');
    const { target_label } = await getApp(world.context.store, caller.app_id);
    const ids = new Map<string, DomainId>();
    world.says = (expectation) =>
      everywhere(() =>
        expectation.hostname === APEX
          ? addresses(expectation.txt_value)
          : { a: [`CNAME ${target_label}.${EDGE_ZONE}`, 'A 203.0.113.10'] },
      )(expectation);
    for (const hostname of order) {
      const { body } = await createDomain(world.context, caller, {
        body: { hostname, ...(hostname === APEX && { apex_redirect: 'www' }) },
      });
      ids.set(hostname, body.id as DomainId);
      world.clock.move(SECOND_MS);
    }
    const own = ids.get(WWW) as DomainId;
    const seen: string[] = [];
    for (let check = 0; check < CHECKS; check++) {
      world.clock.move(HOUR_MS);
      await world.work();
      for (const id of ids.values())
        if ((await world.domain(id)).status === 'issuing')
          await triggerDomain(world.context, id, 'certificate_issued');
      seen.push((await world.domain(own)).status);
    }
    expect(seen.slice(1)).toEqual(Array(CHECKS - 1).fill('active'));
    expect(await findRouteOwner(world.context.store, WWW)).toBe(own);
  },
);
