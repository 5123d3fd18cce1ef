import type { Seed } from '../../emulator/seed/seed-schema.ts';
import type { Client } from '../../shared/client/client.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import type { Request } from '../../shared/client/request.ts';
import type { Pacer } from '../events/pacer.ts';

/** The customers' domains that are there when the demo starts. */
export const DEMO_SEED: Seed = {
  domains: [
    { hostname: 'careers.acme.com', status: 'active', metadata: { customer: 'acme' } },
    { hostname: 'shop.globex.com', status: 'active', metadata: { customer: 'globex' } },
    { hostname: 'docs.initech.com', status: 'pending_dns', status_reason: 'dns_record_mismatch' },
  ],
};

type Step = { add: string } | { trigger: string; of: string };

/** The steps of the demo, in order. A first label such as `caa-forbids` forces an outcome. */
const STEPS: readonly Step[] = [
  { add: 'jobs.acme.com' },
  { add: 'caa-forbids.globex.com' },
  { trigger: 'dns_gone', of: 'careers.acme.com' },
  { add: 'dns-flapping.initech.com' },
  { trigger: 'dns_confirmed', of: 'careers.acme.com' },
  { trigger: 'certificate_renewed', of: 'shop.globex.com' },
  { add: 'help.acme.com' },
  { trigger: 'hold', of: 'docs.initech.com' },
  { trigger: 'release', of: 'docs.initech.com' },
  { add: 'status.globex.com' },
];

const STEP_MS = 3_000;

/** Plays the steps until the pacer stops. Skips a step that is no longer possible, because the user can act too. */
export async function playDemo(client: Client, control: Request, { pause, signal }: Pacer): Promise<void> {
  for (const step of STEPS) {
    await pause(STEP_MS);
    if (signal.aborted) return;
    try {
      await play(step, client, control);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
    }
  }
}

async function play(step: Step, client: Client, control: Request): Promise<void> {
  if ('add' in step) {
    await client.domains.create({ hostname: step.add });
    return;
  }
  const { data } = await client.domains.list({ hostname: step.of, limit: 1 });
  const [domain] = data;
  if (domain === undefined) return;
  const path = `/_emulator/domains/${domain.id}/trigger`;
  await control({ method: 'POST', path, body: { trigger: step.trigger } });
}
