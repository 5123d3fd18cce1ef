import type { DomainResource } from '../../shared/schema/domain.ts';
import type { Part } from '../screen/list-pane.tsx';
import type { World } from '../settings/world.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';
import { createProgress } from './progress.ts';

/** The statuses of a domain on the way to `active`, in order. */
export const ACTIVATION_STEPS: readonly string[] = ['pending_dns', 'verifying', 'issuing', 'active'];

/** Shows on stderr how domains progress: live lines on a terminal, else one line per change. */
export interface WaitView {
  /** Reports that a domain has changed, or was read for the first time (`before` is undefined). */
  changed(before: DomainResource | undefined, now: DomainResource): void;
  /** Shows the domains that have not reached the target status. `waitedMs` is the time since the start. */
  waiting(domains: readonly DomainResource[], waitedMs: number): void;
  close(): Promise<void>;
}

const DOMAINS_MAX = 8;

export function createWaitView(target: string, output: Output, world: World): WaitView {
  const progress = createProgress(world, output);
  if (progress !== null) {
    return {
      close: progress.close,
      changed(before, now) {
        if (before !== undefined) output.note(changeLine(before, now));
      },
      waiting(domains, waitedMs) {
        const more = domains.length - DOMAINS_MAX;
        progress.show({
          items: domains.slice(0, DOMAINS_MAX).map((domain) => ({
            name: plainText(domain.hostname),
            parts: stepParts(domain, target),
            notes: findingLines(domain, output.nowMs()),
          })),
          hint: `${more > 0 ? `and ${more} more, ` : ''}${Math.floor(waitedMs / 1000)} s; Ctrl-C stops waiting, setup continues`,
        });
      },
    };
  }
  return {
    close: async () => undefined,
    changed(before, now) {
      output.note(changeLine(before, now));
      // Without live lines, print the findings of the last check too.
      if (now.status !== target)
        for (const line of findingLines(now, output.nowMs())) output.note(`  ${line}`);
    },
    waiting: () => undefined,
  };
}

function stepParts({ status }: DomainResource, target: string): Part[] {
  const at = ACTIVATION_STEPS.indexOf(status);
  const to = ACTIVATION_STEPS.indexOf(target);
  if (at === -1 || to === -1) return [{ text: `● ${plainText(status)}`, style: 'yellow' }];
  return ACTIVATION_STEPS.slice(0, to + 1).map((step, index): Part => {
    if (index < at) return { text: `✓ ${step}`, style: 'green' };
    return index === at ? { text: `● ${step}`, style: 'yellow' } : { text: `○ ${step}` };
  });
}

/** Returns lines that say what the domain is waiting for and what the last check found. @param nowMs the server's time. */
function findingLines(domain: DomainResource, nowMs: number): string[] {
  const { status, status_detail, next_check_at } = domain;
  const waited = WAITED_FOR[status];
  const seconds = next_check_at === null ? null : Math.ceil((Date.parse(next_check_at) - nowMs) / 1000);
  const next = seconds !== null && seconds > 0 && seconds < 3_600 ? `, next check in ${seconds} s` : '';
  return [
    ...(waited === undefined ? [] : [`waiting for ${waited}${next}`]),
    ...(status_detail ? [plainText(status_detail.hint)] : []),
  ];
}

const WAITED_FOR: Readonly<Record<string, string>> = {
  pending_dns: 'the DNS records',
  verifying: 'all resolvers to return the DNS records',
  issuing: 'the certificate',
  dns_broken: 'the DNS records to come back',
};

function changeLine(before: DomainResource | undefined, now: DomainResource): string {
  const change = before ? `${before.status} -> ${now.status}` : now.status;
  const reason = now.status_reason ? ` (${now.status_reason})` : '';
  return plainText(`${now.hostname}: ${change}${reason}`);
}
