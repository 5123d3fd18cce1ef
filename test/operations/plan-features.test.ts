import { expect, test } from 'vitest';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { updateCurrentApp } from '../../shared/operations/apps/update-app.ts';
import { updateDomain } from '../../shared/operations/domains/update-domain.ts';
import { jobWorld } from '../jobs/job-world.ts';

/** Creates a test service whose Scale plan includes no features. */
async function worldWithOwnPlans() {
  const world = await jobWorld();
  const scale = { ...PLANS.scale, per_domain_origin: false, whitelabel: false };
  world.context.settings = { ...world.context.settings, plans: { ...PLANS, scale } };
  return world;
}

test("a warning names the plans in the operator's own table that include an origin per domain", async () => {
  await using world = await worldWithOwnPlans();
  const caller = await world.addApp('acme');
  const id = await world.addDomain(caller, 'careers.acme.com');
  const body = { origin: 'https://origin.example' };
  const updated = await updateDomain(world.context, caller, { params: { id }, body });
  expect(updated.body.warnings).toEqual([
    {
      code: 'origin_ignored_by_plan',
      message:
        "The origin was ignored: an origin per domain needs the Enterprise plan. The app's origin is used.",
    },
  ]);
});

test("a refusal names the plans in the operator's own table that include white-label", async () => {
  await using world = await worldWithOwnPlans();
  const caller = await world.addApp('acme');
  const body = { whitelabel_host: 'domains.acme.com' };
  await expect(updateCurrentApp(world.context, caller, { body })).rejects.toMatchObject({
    code: 'plan_required',
    message: 'White-label needs the Growth or Enterprise plan, or the trial.',
  });
});
