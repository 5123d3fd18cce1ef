import { expect, test } from 'vitest';
import type { DomainId, KeyId } from '../../shared/core/ids.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { choosePlan, previewPlanChange } from '../../shared/operations/billing/choose-plan.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import { changeAccount } from '../../shared/operations/operator/accounts.ts';
import { updateApp } from '../../shared/store/accounts/apps.ts';
import { autocommit } from '../../shared/store/store.ts';
import { billingWorld } from './billing-world.ts';

const ADA = 'ada@example.com';

async function onScale() {
  const world = await billingWorld();
  const { id, app } = await world.openAccount('Ada', { created_at: world.clock.now() - 30 * DAY_MS });
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'scale');
  await updateApp(autocommit(world.context.store), app.id, {
    whitelabel_host: 'edge.ada.example',
    whitelabel_verified: true,
  });
  const caller: Caller = {
    app_id: app.id,
    account_id: id,
    key_id: world.context.ids('key'),
    mode: 'live',
    idempotency: null,
  };
  for (let place = 0; place < 5; place++) {
    const hostname = `h${place}.acme.com`;
    const { body } = await createDomain(world.context, caller, { body: { hostname } });
    const change = {
      routed_through: place < 2 ? 'edge.ada.example' : null,
      origin: place === 4 ? 'https://o.example' : null,
    };
    await autocommit(world.context.store)
      .db.updateTable('domains')
      .set(change)
      .where('id', '=', body.id as DomainId)
      .execute();
  }
  return Object.assign(world, { id });
}

test('the preview of a downgrade shows what the downgrade will change', async () => {
  await using world = await onScale();
  const asked = world.stripe.requests.length;
  expect(await previewPlanChange(world.context, world.id, 'free')).toEqual({
    from: 'scale',
    to: 'free',
    kind: 'downgrade',
    takes_effect_at: world.clock.now() + 30 * DAY_MS,
    limit: { from: 1000, to: 3 },
    domains: 5,
    domains_over_limit: 2,
    lost: [
      {
        feature: 'whitelabel',
        count: 2,
        effect:
          'White-label ends 72 hours later for edge.ada.example. Records that still point through it then count as broken.',
      },
      {
        feature: 'per_domain_origin',
        count: 1,
        effect: "Origins of single domains are ignored at once. The app's origin serves these domains.",
      },
    ],
  });
  expect(await previewPlanChange(world.context, world.id, 'growth')).toMatchObject({
    kind: 'downgrade',
    takes_effect_at: null,
    domains_over_limit: 0,
    lost: [{ feature: 'per_domain_origin', count: 1 }],
  });
  expect(world.stripe.requests).toHaveLength(asked);
});

test('the preview shows the loss of live keys only for an account without a card, and no loss for an upgrade', async () => {
  await using world = await onScale();
  await changeAccount(world.context, 'operator', world.id, { card_on_file: false });
  const { app_id } = await world.context.store.db
    .selectFrom('api_keys')
    .select('app_id')
    .executeTakeFirstOrThrow();
  const key = await world.context.store.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
  await autocommit(world.context.store)
    .db.insertInto('api_keys')
    .values({ ...key, id: 'key_live' as KeyId, app_id, mode: 'live', hash: 'other' })
    .execute();
  const { lost } = await previewPlanChange(world.context, world.id, 'free');
  expect(lost.map(({ feature, count }) => [feature, count])).toContainEqual(['live_keys', 1]);
  expect(await previewPlanChange(world.context, world.id, 'enterprise')).toMatchObject({
    kind: 'upgrade',
    domains_over_limit: 0,
    lost: [],
  });
  expect(await previewPlanChange(world.context, world.id, 'scale')).toMatchObject({ kind: 'same', lost: [] });
});
