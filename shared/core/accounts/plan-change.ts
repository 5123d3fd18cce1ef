import type { Instant } from '../instant.ts';
import { PLAN_NAMES, type Plan, type PlanName, type PlanTable } from './plan.ts';

/** An account's use of everything that a plan limits or includes. */
export interface PlanUsage {
  /** Number of live domains that count towards the limit. */
  domains: number;
  /** White-label hosts of the account's apps. */
  whitelabelHosts: readonly string[];
  /** Number of domains whose CNAME records point to us through the white-label hosts. */
  domainsThroughHosts: number;
  /** Number of domains with an origin of their own. */
  domainsWithOrigin: number;
  liveKeys: number;
}

/** A feature that the account uses and the new plan does not include. */
export interface LostFeature {
  feature: 'whitelabel' | 'per_domain_origin' | 'live_keys';
  /** Number of domains or keys that lose the feature. */
  count: number;
  /** One sentence that says what happens when the feature is lost. */
  effect: string;
}

export interface PlanChangePreview {
  from: PlanName;
  to: PlanName;
  kind: 'upgrade' | 'downgrade' | 'same';
  /** When the change takes effect. Null if the change takes effect immediately. */
  takes_effect_at: Instant | null;
  limit: { from: number; to: number };
  domains: number;
  /** Number of domains above the new limit. These domains stay, but the account can add no more. */
  domains_over_limit: number;
  lost: LostFeature[];
}

export interface PlanChangeFacts {
  from: PlanName;
  to: PlanName;
  /** The plan that applies now: `from`, or Growth during the trial. */
  before: Plan;
  takes_effect_at: Instant | null;
  usage: PlanUsage;
  /** Whether the account may use live keys without a paid plan, because it has a card on file or is promotional. */
  liveKeysAnyway: boolean;
}

/** Returns what an account gains and loses if it changes its plan (`docs/plans-and-limits.md`). */
export function previewChange(
  plans: PlanTable,
  { from, to, before, takes_effect_at, usage, liveKeysAnyway }: PlanChangeFacts,
): PlanChangePreview {
  const steps = PLAN_NAMES.indexOf(to) - PLAN_NAMES.indexOf(from);
  const after = plans[to];
  const lost: LostFeature[] = [];
  if (before.whitelabel && !after.whitelabel && usage.whitelabelHosts.length > 0) {
    lost.push({
      feature: 'whitelabel',
      count: usage.domainsThroughHosts,
      effect: `White-label ends 72 hours later for ${usage.whitelabelHosts.join(', ')}. Records that still point through it then count as broken.`,
    });
  }
  if (before.per_domain_origin && !after.per_domain_origin && usage.domainsWithOrigin > 0) {
    lost.push({
      feature: 'per_domain_origin',
      count: usage.domainsWithOrigin,
      effect: "Origins of single domains are ignored at once. The app's origin serves these domains.",
    });
  }
  if (before.live_keys && !after.live_keys && !liveKeysAnyway && usage.liveKeys > 0) {
    lost.push({
      feature: 'live_keys',
      count: usage.liveKeys,
      effect: 'Live keys add no more domains until the account has a card on file or a paid plan.',
    });
  }
  return {
    from,
    to,
    kind: steps > 0 ? 'upgrade' : steps < 0 ? 'downgrade' : 'same',
    takes_effect_at,
    limit: { from: before.limit, to: after.limit },
    domains: usage.domains,
    domains_over_limit: Math.max(0, usage.domains - after.limit),
    lost,
  };
}
