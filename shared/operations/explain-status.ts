import { type App, customerTarget } from '../core/app.ts';
import type { Domain, StatusDetail } from '../core/domain.ts';
import { relativeName } from '../core/hostname.ts';
import { isReasonCode, type ReasonFacts, reasonDetail } from '../core/reasons.ts';
import type { Settings } from '../core/settings.ts';

/** `status_detail` for a reason of the catalogue: the record that is expected, where, and what to do (section 2.2). */
export function explainStatus(
  settings: Settings,
  app: App,
  domain: Domain,
  reason: string,
): StatusDetail | undefined {
  return isReasonCode(reason) ? reasonDetail(reason, recordFacts(settings, app, domain)) : undefined;
}

function recordFacts(settings: Settings, app: App, domain: Domain): ReasonFacts {
  const name = relativeName(domain);
  return domain.is_apex
    ? { type: 'A', name, expected: settings.edge_ipv4.join(', ') }
    : { type: 'CNAME', name, expected: customerTarget(app, settings.edge_zone) };
}
