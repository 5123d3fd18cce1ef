import type { Domain } from '../../core/domains/domain.ts';
import type { ApplyTarget } from '../../core/providers/domain-connect.ts';
import type { OneClickAnswer } from '../../core/providers/one-click.ts';
import type { Settings } from '../../core/settings.ts';
import type { Context } from '../context.ts';
import { recordsOf } from '../domains/present-domain.ts';

/** Returns what a domain asks its DNS provider to set. */
export function applyTarget(settings: Settings, target: string, domain: Domain, zone: string): ApplyTarget {
  return {
    hostname: domain.hostname,
    zone,
    dns: recordsOf(settings, target, domain),
    edge_zone: settings.edge_zone,
  };
}

/** Returns a freshly signed link that lets the DNS provider set the records itself, or null if the provider does not offer that. */
export function oneClickLink(
  { one_click, settings }: Context,
  target: string,
  domain: Domain,
  answer: OneClickAnswer | null,
): string | null {
  if (one_click === null || answer?.outcome !== 'offered') return null;
  return one_click.link(answer.sync_ux_url, applyTarget(settings, target, domain, answer.zone));
}
