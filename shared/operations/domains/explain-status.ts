import { type App, type CustomerTargets, cnameTarget, customerTarget } from '../../core/apps/app.ts';
import { expectationOf } from '../../core/dns/dns-expectation.ts';
import { detailOf, type Finding } from '../../core/dns/dns-finding.ts';
import { exampleFinding } from '../../core/dns/example-finding.ts';
import type { Domain, StatusDetail } from '../../core/domains/domain.ts';
import { relativeName } from '../../core/domains/hostname.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import type { Instant } from '../../core/instant.ts';
import {
  isReasonCode,
  REASONS,
  type ReasonCode,
  type ReasonFacts,
  reasonDetail,
} from '../../core/reasons.ts';
import type { Settings } from '../../core/settings.ts';

/**
 * Returns `status_detail` for a reason code: the expected record, its name, and the next step (`docs/api.md#domain`). Without DNS lookups,
 * a domain on the test timer gets example values (`docs/test-mode.md`).
 * @param shown the app and the targets for its customers' records.
 */
export function explainStatus(
  settings: Settings,
  shown: ShownTarget,
  domain: Domain,
  reason: string,
  now: Instant,
): StatusDetail | undefined {
  if (!isReasonCode(reason)) return undefined;
  const example = runsOnTimer(domain, settings) ? exampleFor(settings, shown, domain, reason, now) : null;
  return example === null
    ? reasonDetail(reason, recordFacts(settings, shown, domain, reason))
    : detailOf(example);
}

function exampleFor(
  settings: Settings,
  { app, host }: ShownTarget,
  domain: Domain,
  reason: ReasonCode,
  now: Instant,
): Finding | null {
  const facts = { hasRoute: false, hostLost: false, otherProofs: [], hasWhitelabel: host !== null, now };
  return exampleFinding(reason, expectationOf(domain, app, settings, facts));
}

/** An app, and the targets to which its customers' records must point. */
export interface ShownTarget extends CustomerTargets {
  app: App;
}

/**
 * Returns the record that a reason is about, such as the TXT record for a missing proof of ownership. For an unverified white-label host,
 * returns the record of the host. Reasons outside DNS have no record.
 */
function recordFacts(
  settings: Settings,
  { app, ...addresses }: ShownTarget,
  domain: Domain,
  reason: ReasonCode,
): ReasonFacts {
  const name = relativeName(domain);
  if (reason === 'whitelabel_ended')
    return { name, expected: addresses.ownTarget, found: app.whitelabel_host };
  if (REASONS[reason].group === 'whitelabel') {
    const { whitelabel_host: host, whitelabel_found: found } = app;
    return { expected: cnameTarget(app, settings.edgeZone), found, ...(host !== null && { name: host }) };
  }
  if (REASONS[reason].group !== 'dns') return { name };
  if (reason === 'dns_txt_missing' || reason === 'dns_txt_mismatch') {
    const { txtLabel } = settings.names;
    return {
      type: 'TXT',
      name: domain.is_apex ? txtLabel : `${txtLabel}.${name}`,
      expected: domain.txt_value,
    };
  }
  return domain.is_apex
    ? { type: 'A', name, expected: settings.edgeIpv4.join(', ') }
    : { type: 'CNAME', name, expected: customerTarget(addresses, domain.hostname) };
}
