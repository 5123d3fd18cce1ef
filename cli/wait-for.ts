import type { Client } from '../shared/client/client.ts';
import { ApiError } from '../shared/client/client-error.ts';
import type { Status } from '../shared/core/status.ts';
import type { DomainResource } from '../shared/schema/domain.ts';
import { CliError } from './cli-error.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';
import type { World } from './world.ts';

/** The way to `active`: a domain that is further along has reached what comes before. */
const WAY: readonly string[] = ['pending_dns', 'verifying', 'issuing', 'active'] satisfies Status[];

/** Left only by somebody's act, or by a retry a day later: waiting here would be in vain. */
const STUCK: readonly string[] = ['cert_failed', 'expired', 'held', 'deleted'] satisfies Status[];

const POLL_MS = 1_000;

/**
 * Polls domains until all of them have reached a status; each change is noted on stderr.
 * @throws CliError `domain_failed` as soon as one cannot get there, `wait_ran_out` after `timeout_ms`.
 */
export async function waitFor(
  ids: readonly string[],
  target: string,
  timeout_ms: number,
  { client, output, world }: { client: Client; output: Output; world: World },
): Promise<DomainResource[]> {
  const ends_at = world.elapsed_ms() + timeout_ms;
  const seen = new Map<string, DomainResource>();
  for (;;) {
    for (const id of ids) {
      const before = seen.get(id);
      if (before && hasReached(before.status, target)) continue;
      const now = await domainOrDeleted(id, before, client);
      if (now.status !== before?.status) output.note(changeLine(before, now));
      seen.set(id, now);
    }
    const domains = ids.flatMap((id) => seen.get(id) ?? []);
    const waiting = domains.filter(({ status }) => !hasReached(status, target));
    if (waiting.length === 0) return domains;
    const stuck = waiting.filter(({ status }) => STUCK.includes(status));
    if (stuck.length > 0) throw failed(stuck, target);
    const left_ms = ends_at - world.elapsed_ms();
    if (left_ms <= 0) throw ranOut(waiting, target);
    await world.sleep(Math.min(POLL_MS, left_ms));
  }
}

function hasReached(status: string, target: string): boolean {
  return status === target || (WAY.includes(target) && WAY.indexOf(status) >= WAY.indexOf(target));
}

/** A deleted domain is 404 to the API. */
async function domainOrDeleted(id: string, before: DomainResource | undefined, client: Client) {
  try {
    return await client.domains.get(id);
  } catch (error) {
    if (before && error instanceof ApiError && error.status === 404)
      return { ...before, status: 'deleted' as const };
    throw error;
  }
}

function changeLine(before: DomainResource | undefined, now: DomainResource): string {
  const change = before ? `${before.status} -> ${now.status}` : now.status;
  const reason = now.status_reason ? ` (${now.status_reason})` : '';
  return plainText(`${now.hostname}: ${change}${reason}`);
}

function failed(stuck: DomainResource[], target: string): CliError {
  const names = stuck.map(({ hostname, status, status_reason }) =>
    status_reason ? `${hostname} is ${status}: ${status_reason}` : `${hostname} is ${status}`,
  );
  const hint = stuck.find(({ status_detail }) => status_detail)?.status_detail?.hint;
  return new CliError('domain_failed', `${names.join('; ')}, and does not become ${target} by itself.`, {
    fix: hint ?? `Run nameplate domains get ${stuck[0]?.hostname} to see why.`,
    status_detail: { domains: stuck },
  });
}

function ranOut(waiting: DomainResource[], target: string): CliError {
  const names = waiting.map(({ hostname, status }) => `${hostname} is still ${status}`).join('; ');
  return new CliError('wait_ran_out', `The wait for ${target} ran out: ${names}.`, {
    fix: 'Check the DNS records (nameplate domains get), or wait longer with --timeout.',
    status_detail: { domains: waiting },
  });
}
