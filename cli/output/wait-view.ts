import type { DomainResource } from '../../shared/schema/domain.ts';
import type { World } from '../settings/world.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';
import { cutText, textWidth } from './table.ts';
import { wrapText } from './wrap-text.ts';

/** The statuses on the way to `active`, in order. A domain that has reached one has passed those before it. */
export const ACTIVATION_STEPS: readonly string[] = ['pending_dns', 'verifying', 'issuing', 'active'];

/** Shows a wait on stderr: live lines on a terminal, else one line per change. */
export interface WaitView {
  /** Reports that a domain has changed, or is seen for the first time. */
  changed(before: DomainResource | undefined, now: DomainResource): void;
  /** Shows the domains that have not reached the status `waited_ms` after the start. */
  waiting(domains: readonly DomainResource[], waitedMs: number): void;
  note(text: string): void;
  close(): void;
}

const DOMAINS_MAX = 8;

export function createWaitView(target: string, output: Output, world: World): WaitView {
  const { stderr, env } = world;
  const isLive = stderr.isTTY === true && !output.json && env.TERM !== 'dumb';
  let drawn = 0;

  /** Erases the live lines, so that the next output replaces them. */
  function erase(): void {
    if (drawn > 0) stderr.write(`\x1b[${drawn}A\x1b[0J`);
    drawn = 0;
  }

  function note(text: string): void {
    erase();
    output.note(text);
  }

  return {
    note,
    close: erase,
    changed(before, now) {
      if (isLive && before === undefined) return;
      note(changeLine(before, now));
      // Without live lines, the log needs the findings too.
      if (!isLive && now.status !== target) for (const line of findingLines(now)) output.note(`  ${line}`);
    },
    waiting(domains, waitedMs) {
      if (!isLive) return;
      const shown = domains.slice(0, DOMAINS_MAX);
      const more = domains.length - shown.length;
      // One column less than the terminal, because `erase` counts lines and a line must not wrap.
      const width = (stderr.columns ?? 80) - 1;
      const lines = [
        ...shown.flatMap((domain) => domainLines(domain, target, width)),
        `${more > 0 ? `and ${more} more, ` : ''}${Math.floor(waitedMs / 1000)} s; Ctrl-C stops waiting, setup continues`,
      ];
      erase();
      for (const line of lines) stderr.write(`${painted(cutText(line, width), output)}\n`);
      drawn = lines.length;
    },
  };
}

function domainLines(domain: DomainResource, target: string, width: number): string[] {
  const hostname = plainText(domain.hostname);
  const words = stepWords(domain, target);
  const whole = [hostname, ...words].join('  ');
  const marks = `${hostname}  ${words.map((word) => word.charAt(0)).join('')} ${plainText(domain.status)}`;
  return [
    textWidth(whole) <= width ? whole : marks,
    ...findingLines(domain)
      .flatMap((line) => wrapText(line, width - 2))
      .map((line) => `  ${line}`),
  ];
}

function stepWords({ status }: DomainResource, target: string): string[] {
  const at = ACTIVATION_STEPS.indexOf(status);
  const to = ACTIVATION_STEPS.indexOf(target);
  if (at === -1 || to === -1) return [`● ${plainText(status)}`];
  return ACTIVATION_STEPS.slice(0, to + 1).map(
    (step, index) => `${index < at ? '✓' : index === at ? '●' : '○'} ${step}`,
  );
}

/** Returns lines that say what the domain is waiting for and what the last check found. */
function findingLines(domain: DomainResource): string[] {
  const { status, status_detail, next_check_at } = domain;
  const waited = WAITED_FOR[status];
  const seconds = next_check_at === null ? null : Math.ceil((Date.parse(next_check_at) - Date.now()) / 1000);
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

function painted(line: string, output: Output): string {
  return line
    .replace(/✓/g, (mark) => output.paint('green', mark))
    .replace(/●/g, (mark) => output.paint('yellow', mark))
    .replace(/^( {2}.*|.*Ctrl-C.*)$/, (text) => output.paint('dim', text));
}

function changeLine(before: DomainResource | undefined, now: DomainResource): string {
  const change = before ? `${before.status} -> ${now.status}` : now.status;
  const reason = now.status_reason ? ` (${now.status_reason})` : '';
  return plainText(`${now.hostname}: ${change}${reason}`);
}
