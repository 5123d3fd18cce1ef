import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import { testOutcome } from '../../shared/core/domains/test-mode.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { ACTIVATION_STEPS, createWaitView } from '../output/wait-view.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';
import { isTransient } from './explain-api-error.ts';

/** Statuses that a domain leaves only by a user's action or by a retry a day later. Waiting for such a domain is useless. */
const STUCK: readonly string[] = ['cert_failed', 'expired', 'held', 'deleted'] satisfies Status[];

const POLL_MS = 1_000;

/**
 * Polls domains until all of them have reached the target status, and shows their progress on stderr. Keeps polling through connection
 * losses.
 * @throws CliError `domain_failed` as soon as one domain cannot reach the target by itself, `wait_ran_out` after `timeoutMs`.
 */
export async function waitFor(
  ids: readonly string[],
  target: string,
  timeoutMs: number,
  { client, output, world }: { client: Client; output: Output; world: World },
): Promise<DomainResource[]> {
  const startedAt = world.elapsedMs();
  const seen = new Map<string, DomainResource>();
  const view = createWaitView(target, output, world);
  let lost: unknown = null;
  try {
    for (;;) {
      lost = await poll(lost);
      const domains = ids.flatMap((id) => seen.get(id) ?? []);
      const waiting = domains.filter((domain) => !hasReached(domain, target));
      if (waiting.length === 0 && domains.length === ids.length) return domains;
      const stuck = waiting.filter(({ status }) => STUCK.includes(status));
      if (stuck.length > 0) throw failed(stuck, target);
      const untimed = ACTIVATION_STEPS.includes(target) ? waiting.find(isUntimed) : undefined;
      if (untimed) throw needsTrigger(untimed);
      const waitedMs = world.elapsedMs() - startedAt;
      if (waitedMs >= timeoutMs) throw lost ?? ranOut(waiting, target);
      view.waiting(waiting, waitedMs);
      await world.sleep(Math.min(POLL_MS, timeoutMs - waitedMs));
    }
  } finally {
    await view.close();
  }

  /** Polls every domain that has not reached the target status. Returns null, or the error of a request that may succeed later. */
  async function poll(lostBefore: unknown): Promise<unknown> {
    try {
      for (const id of ids) {
        const before = seen.get(id);
        if (before && hasReached(before, target)) continue;
        const now = await domainOrDeleted(id, before, client);
        seen.set(id, now);
        if (hasChanged(before, now)) view.changed(before, now);
      }
      return null;
    } catch (error) {
      // Before every domain was read once, an error may mean a wrong address, so do not retry.
      if (seen.size < ids.length || !isTransient(error)) throw error;
      if (lostBefore === null) output.note(`${plainText(error.message)} Retrying until the timeout.`);
      return error;
    }
  }
}

/** Returns true for a test domain that only a trigger can activate: it has no DNS check and no running timer. */
function isUntimed({ mode, hostname, status }: DomainResource): boolean {
  return mode === 'test' && (testOutcome(hostname).steps[status]?.afterMs ?? null) === null;
}

/** Returns true if the status or its reason has changed. */
function hasChanged(before: DomainResource | undefined, now: DomainResource): boolean {
  return before?.status !== now.status || before.status_reason !== now.status_reason;
}

/** The wait target “the certificate is ready before the DNS record changes”. It is a field of the domain, not a status. */
export const READY_TO_SWITCH = 'ready_to_switch';

function hasReached({ status, ready_to_switch }: DomainResource, target: string): boolean {
  // The record of an active domain already points to the edge.
  if (target === READY_TO_SWITCH) return ready_to_switch || status === 'active';
  return (
    status === target ||
    (ACTIVATION_STEPS.includes(target) &&
      ACTIVATION_STEPS.indexOf(status) >= ACTIVATION_STEPS.indexOf(target))
  );
}

/** Reads a domain from the API. If the API responds with 404, returns the last known fields with the status `deleted`. */
async function domainOrDeleted(id: string, before: DomainResource | undefined, client: Client) {
  try {
    return await client.domains.get(id);
  } catch (error) {
    if (before && error instanceof ApiError && error.status === 404)
      return { ...before, status: 'deleted' as const };
    throw error;
  }
}

function failed(stuck: DomainResource[], target: string): CliError {
  const names = stuck.map(({ hostname, status, status_reason }) =>
    status_reason ? `${hostname} is ${status}: ${status_reason}` : `${hostname} is ${status}`,
  );
  const hint = stuck.find(({ status_detail }) => status_detail)?.status_detail?.hint;
  return new CliError('domain_failed', `${names.join('; ')}. It cannot become ${target} by itself.`, {
    fix: hint ?? `Run nameplate domains get ${stuck[0]?.hostname} to see why.`,
    status_detail: { domains: stuck },
  });
}

function needsTrigger(domain: DomainResource): CliError {
  const { hostname, status, status_reason } = domain;
  const found = status_reason ? `${status}: ${status_reason}` : status;
  return new CliError(
    'domain_failed',
    `${hostname} is ${found}. A test domain does not leave that status by itself.`,
    {
      fix: `In the emulator, run nameplate emulator trigger ${hostname} dns_confirmed. On a hosted server, use another test hostname.`,
      status_detail: { domains: [domain] },
    },
  );
}

function ranOut(waiting: DomainResource[], target: string): CliError {
  const names = waiting.map(({ hostname, status }) => `${hostname} is still ${status}`).join('; ');
  return new CliError('wait_ran_out', `Timed out waiting for ${target}: ${names}.`, {
    fix: 'Check the DNS records (nameplate domains get), or set a longer --timeout.',
    status_detail: { domains: waiting },
  });
}
