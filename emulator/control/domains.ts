import type { z } from 'zod';
import { timestamp } from '../../shared/core/instant.ts';
import { findCustomerAddresses } from '../../shared/operations/domains/customer-target.ts';
import { holdHostname, releaseHostname } from '../../shared/operations/domains/hold-hostname.ts';
import { presentDomain } from '../../shared/operations/domains/present-domain.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { selectHolds } from '../../shared/store/domains/holds.ts';
import type { EmulatorComposition } from '../compose.ts';
import { findDomainId } from '../state/find-domain-id.ts';
import { type ControlAction, readAs } from './action.ts';
import { holdSchema, triggerSchema } from './bodies.ts';
import { ControlError } from './control-error.ts';

/** Runs one transition of the state machine on a domain. The request names the domain by its id or its hostname. */
export const trigger: ControlAction = async ({ emulator, param, body }) => ({
  domain: await triggerById(emulator, await findDomainId(emulator, param), readAs(triggerSchema, body)),
});

/** Runs one transition. @throws ControlError 409 for an impossible trigger. The error lists the possible triggers. */
export async function triggerById(
  { context }: EmulatorComposition,
  id: string,
  { trigger: name, reason }: z.output<typeof triggerSchema>,
): Promise<DomainResource> {
  const outcome = await triggerDomain(context, id, name, reason);
  if (!outcome.ok) {
    const { status, possible } = outcome.problem;
    throw new ControlError(409, 'impossible_trigger', {
      message: `${name} is not possible while the domain is ${status}.`,
      fix: `Use one of: ${possible.join(', ')}.`,
      status_detail: { status, possible },
    });
  }
  const app = await getApp(context.store, outcome.domain.app_id);
  return presentDomain(context, await findCustomerAddresses(context, app), outcome.domain);
}

export const addHold: ControlAction = async ({ emulator, body }) => {
  const { hostname, reason } = readAs(holdSchema, body);
  const held = await holdHostname(emulator.context, hostname, reason ?? null);
  return { ...held, created_at: timestamp(held.created_at) };
};

export const removeHold: ControlAction = async ({ emulator, param }) => {
  await releaseHostname(emulator.context, param);
  return null;
};

export const listAllHolds: ControlAction = async ({ emulator }) => {
  const holds = await selectHolds(emulator.context.store);
  return { data: holds.map((held) => ({ ...held, created_at: timestamp(held.created_at) })) };
};
