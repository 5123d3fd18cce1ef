import { type Account, effectivePlan, liveModeRefusal, onTrial } from '../core/accounts/account.ts';
import type { Member, Role } from '../core/accounts/member.ts';
import { PLAN_NAMES } from '../core/accounts/plan.ts';
import { timestamp } from '../core/instant.ts';
import type { Context } from '../operations/context.ts';
import { listAppsOfAccount } from '../store/accounts/apps.ts';
import type { AuditEntry } from '../store/accounts/audit-log.ts';
import { readDomainCounts } from '../store/domains/domain-counts.ts';
import type { AccountView, AuditView, MemberView } from './responses.ts';

/** Returns the JSON of an account for the dashboard's pages. */
export async function presentAccount(context: Context, account: Account, role: Role): Promise<AccountView> {
  const { store, settings, clock } = context;
  const now = clock.now();
  const { limit, included } = effectivePlan(account, settings.plans, now);
  const { used } = await readDomainCounts(store, account.id);
  const apps = await listAppsOfAccount(store, account.id);
  return {
    id: account.id,
    name: account.name,
    role,
    plan: account.plan,
    on_trial: onTrial(account, now),
    trial_ends_at: timestamp(account.trial_ends_at),
    card_on_file: account.card_on_file,
    promotional: account.promotional,
    suspended: account.suspended,
    created_at: timestamp(account.created_at),
    usage: { live_domains: used, limit, included },
    plans: PLAN_NAMES.map((name) => ({ name, ...settings.plans[name] })),
    live_mode_refusal: liveModeRefusal(account, settings.plans, now),
    apps: apps.map(({ id, name, created_at }) => ({ id, name, created_at: timestamp(created_at) })),
    billing: { provider: context.billing === null ? 'none' : 'stripe' },
  };
}

/** @param mail the mail address of the signed-in person; null in the emulator. */
export function presentMember(member: Member, mail: string | null): MemberView {
  return {
    id: member.id,
    mail: member.mail,
    role: member.role,
    created_at: timestamp(member.created_at),
    joined_at: timestamp(member.joined_at),
    is_you: member.mail === mail,
  };
}

export function presentAudit({ id, at, actor, action, detail }: AuditEntry): AuditView {
  return {
    id,
    at: timestamp(at),
    actor,
    action,
    detail: detail === null ? null : JSON.stringify(detail),
  };
}
