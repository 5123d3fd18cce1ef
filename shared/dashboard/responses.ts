import type { Role } from '../core/accounts/member.ts';
import type { PlanName } from '../core/accounts/plan.ts';
import type { Status } from '../core/domains/status.ts';
import type { Tone } from '../core/look/status-look.ts';
import type { WebhookBody } from '../schema/event.ts';

/**
 * The types of responses of `/dashboard/api`, apart from those of `/v1`. The server and the dashboard's script share them. Times are RFC
 * 3339.
 */

export type MemberRole = Role;

/** The response to `GET /session`. Its status is 200 even if the browser is not signed in. */
export interface DashboardSession {
  /** The mail address of the signed-in person; null if the browser is not signed in. */
  mail: string | null;
  signed_in_at: string | null;
  /** Whether the sign-in is at most ten minutes old. Sensitive actions require this. */
  is_recent: boolean;
  /** True in the emulator, which has no sign-in and allows everything. */
  open: boolean;
  /** The name of the service that people read: the operator's name for it, or Nameplate. */
  service_name: string;
  docs_url: string;
  /** The base URL of the API, which the pages show in commands. */
  base_url: string;
  /** The server's time. In the emulator, it may differ from the time of the browser. */
  now: string;
  sign_in: SignInMethods;
  accounts: SessionAccount[];
}

export interface SignInMethods {
  link: boolean;
  /**
   * Whether the service can send mail. Without a mail server, sign-in links are in the log of the service, or the operator creates them.
   */
  mails: boolean;
  passkey: boolean;
  oidc: { name: string } | null;
  sign_up: 'open' | 'invite';
}

export interface SessionAccount {
  id: string;
  name: string;
  role: MemberRole;
}

/** An item of `GET /sessions`: a browser in which the person is signed in. */
export interface SessionView {
  id: string;
  created_at: string;
  last_seen_at: string;
  user_agent: string;
  is_current: boolean;
}

/** An item of `GET /passkeys`: a passkey of the person. */
export interface PasskeyView {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** The response to `GET /accounts/{account_id}`. */
export interface AccountView {
  id: string;
  name: string;
  role: MemberRole;
  plan: PlanName;
  on_trial: boolean;
  trial_ends_at: string | null;
  card_on_file: boolean;
  promotional: boolean;
  suspended: boolean;
  created_at: string;
  usage: UsageBody;
  /** All plans, in ascending order. */
  plans: PlanView[];
  /** Why the account cannot use live mode; null if it can. */
  live_mode_refusal: 'card_required' | 'live_keys_need_plan' | null;
  apps: AccountApp[];
  billing: { provider: 'none' | 'stripe' };
}

export interface UsageBody {
  live_domains: number;
  /** Maximum number of live domains. */
  limit: number;
  /** Number of live domains that are included in the price. */
  included: number;
}

export interface PlanView {
  name: PlanName;
  included: number;
  limit: number;
  per_domain_origin: boolean;
  whitelabel: boolean;
  live_keys: boolean;
}

export interface AccountApp {
  id: string;
  name: string;
  created_at: string;
}

/** The response to `POST /sign-in/links/use`: the session, and the path to open next. */
export interface SignedIn extends DashboardSession {
  next: string;
}

/** The response to `POST /accounts`: the account with its first app. No other response contains the key. */
export interface CreatedAccountView extends AccountView {
  test_key: string;
}

/** The response to `POST /accounts/{account_id}/apps`. No other response contains the key. */
export interface CreatedApp {
  app: AccountApp;
  test_key: string;
}

/** A member of an account, or an invitation that is not accepted yet. */
export interface MemberView {
  id: string;
  mail: string;
  role: MemberRole;
  created_at: string;
  /** Null until the invitation is accepted. */
  joined_at: string | null;
  is_you: boolean;
}

/** An entry of the audit log. */
export interface AuditView {
  id: string;
  at: string;
  actor: string;
  action: string;
  detail: string | null;
}

/** One page of the audit log, newest first. */
export interface AuditPage {
  data: AuditView[];
  /** The value of `before` for the next page; null on the last page. */
  next_before: string | null;
}

/** A list that is short enough for one response. */
export interface ShortList<T> {
  data: T[];
}

/** The response to `GET /apps/{app_id}/overview`: counts, and the completed steps of the setup checklist. */
export interface AppOverview {
  account_id: string;
  live: ModeOverview;
  test: ModeOverview;
  has_key_used: boolean;
  has_delivered_event: boolean;
}

export interface ModeOverview {
  /** The number of domains by status. `COUNTED_MAX` means this number or more. */
  by_status: Partial<Record<Status, number>>;
  failed_deliveries_24h: number;
}

/** The response to `POST /apps/{app_id}/signing-secret/reveal`. */
export interface RevealedSecret {
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: string | null;
}

/** The response to `POST /apps/{app_id}/test-event`: the event that was sent, and the response of the receiver. */
export interface TestEventResult {
  /** The status of the receiver's response; null if there was no response. */
  status_code: number | null;
  /** Why there was no response; null if there was one. */
  error: string | null;
  response_ms: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  event: WebhookBody;
  /** The value of the signature header. */
  signature: string;
}

/** The response to `GET /apps/{app}/connect-preview/{domain_id}`: the texts that the connect page shows the customer now. */
export interface ConnectPreview {
  tone: Tone;
  headline: string;
  text: string;
  /** Number of `steps` that are done; null if the page shows no steps. */
  steps_done: number | null;
  steps: string[];
  /** The titles of the problems on the page, the most severe first. */
  findings: string[];
}

/** An item of `GET /apps/{app}/origin-probes`: a probe of the app's current origin. */
export interface OriginProbeView {
  at: string;
  /** Null if there was no response. */
  status_code: number | null;
  latency_ms: number | null;
  /** Null if the origin is reachable. */
  reason: string | null;
}

/** The `status_detail` of the error `changed_meanwhile` (409). */
export interface ChangedMeanwhile {
  /** The current values of the fields in `expected`. */
  now: Record<string, unknown>;
}

/** The response to `GET /accounts/{account_id}/billing`: the plan and the payments, as last read from the billing provider. */
export interface BillingView {
  /** Null if the account has no card on file. */
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null;
  /** The plan of the subscription; null if there is no subscription. */
  paid_plan: PlanName | null;
  /** A plan that a member chose and that does not apply yet; null if there is none. */
  plan_asked: PlanName | null;
  period_ends_at: string | null;
  /** True if the subscription ends with its paid period instead of being renewed. */
  ends_with_period: boolean;
  payment_failed_at: string | null;
  /** When the account will be suspended if the payment is still owed. */
  suspends_at: string | null;
  /** The plans that members can choose, in ascending order. */
  choices: PlanName[];
}

/** The response to `GET /accounts/{account_id}/billing/preview`: the effects of choosing a plan. */
export interface PlanPreview {
  kind: 'upgrade' | 'downgrade' | 'same';
  /** Null if the change takes effect at once. */
  takes_effect_at: string | null;
  limit: { from: number; to: number };
  domains: number;
  domains_over_limit: number;
  /** One sentence for each feature that the account uses and would lose. */
  lost: string[];
}

/** The URL of a page at the billing provider, which the browser opens. */
export interface BillingPage {
  url: string;
}
