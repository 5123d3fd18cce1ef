import type { DomainResource } from '../../shared/schema/domain.ts';
import type { World } from '../settings/world.ts';
import type { Output } from './output.ts';
import { plainText } from './plain-text.ts';
import { cutText, textWidth } from './table.ts';
import { wrapText } from './wrap-text.ts';

/** The way to `active`: a domain that is further along has reached what comes before. */
export const WAY: readonly string[] = ['pending_dns', 'verifying', 'issuing', 'active'];

/** How a wait is shown on stderr: live lines on a terminal, else a line a change. */
export interface WaitView {
  /** A domain has changed, or is seen for the first time. */
  changed(before: DomainResource | undefined, now: DomainResource): void;
  /** What is still waited for, `waited_ms` after the start. */
  waiting(domains: readonly DomainResource[], waited_ms: number): void;
  note(text: string): void;
  close(): void;
}

const DOMAINS_MAX = 8;

export function createWaitView(target: string, output: Output, world: World): WaitView {
  const { stderr, env } = world;
  const is_live = stderr.isTTY === true && !output.json && env.TERM !== 'dumb';
  let drawn = 0;

  /** Takes the live lines away, so that what is printed next stands in their place. */
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
      if (is_live && before === undefined) return;
      note(changeLine(before, now));
      // A script's log has no live line that says it.
      if (!is_live && now.status !== target) for (const line of findingLines(now)) output.note(`  ${line}`);
    },
    waiting(domains, waited_ms) {
      if (!is_live) return;
      const shown = domains.slice(0, DOMAINS_MAX);
      const more = domains.length - shown.length;
      // A line that wrapped would be two to erase.
      const width = (stderr.columns ?? 80) - 1;
      const lines = [
        ...shown.flatMap((domain) => domainLines(domain, target, width)),
        `${more > 0 ? `and ${more} more, ` : ''}${Math.floor(waited_ms / 1000)} s; Ctrl-C stops waiting, not the domain`,
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
  const at = WAY.indexOf(status);
  const to = WAY.indexOf(target);
  if (at === -1 || to === -1) return [`● ${plainText(status)}`];
  return WAY.slice(0, to + 1).map((step, index) => `${index < at ? '✓' : index === at ? '●' : '○'} ${step}`);
}

/** What is waited for, where something is, and what the last check found. */
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
  verifying: 'all resolvers to see the DNS records',
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
