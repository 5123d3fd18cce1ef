import { timestamp } from '../../shared/core/instant.ts';
import { holdHostname, releaseHostname } from '../../shared/operations/hold-hostname.ts';
import { presentDomain } from '../../shared/operations/present-domain.ts';
import { triggerDomain } from '../../shared/operations/trigger-domain.ts';
import { getApp } from '../../shared/store/apps.ts';
import { listHolds } from '../../shared/store/holds.ts';
import { type ControlAction, readAs } from './action.ts';
import { holdSchema, triggerSchema } from './bodies.ts';
import { ControlError } from './control-error.ts';

/** One transition of the table by hand. An impossible one is 409 and names those that are possible. */
export const trigger: ControlAction = async ({ emulator, param, body }) => {
  const { trigger: name, reason } = readAs(triggerSchema, body);
  const { context } = emulator;
  const outcome = await triggerDomain(context, param, name, reason);
  if ('impossible' in outcome) {
    const { status, possible } = outcome;
    throw new ControlError(409, 'impossible_trigger', {
      message: `${name} is not possible while the domain is ${status}.`,
      fix: `Use one of: ${possible.join(', ')}.`,
      status_detail: { status, possible },
    });
  }
  const app = await getApp(context.store, outcome.domain.app_id);
  return { domain: presentDomain(context, app, outcome.domain) };
};

export const hold: ControlAction = async ({ emulator, body }) => {
  const { hostname, reason } = readAs(holdSchema, body);
  const held = await holdHostname(emulator.context, hostname, reason ?? null);
  return { ...held, created_at: timestamp(held.created_at) };
};

export const release: ControlAction = async ({ emulator, param }) => {
  await releaseHostname(emulator.context, param);
  return null;
};

export const listAllHolds: ControlAction = async ({ emulator }) => {
  const holds = await listHolds(emulator.context.store);
  return { data: holds.map((held) => ({ ...held, created_at: timestamp(held.created_at) })) };
};
