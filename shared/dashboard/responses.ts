import type { Role } from '../core/accounts/member.ts';
import type { PlanName } from '../core/accounts/plan.ts';
import type { Status } from '../core/domains/status.ts';
import type { WebhookBody } from '../schema/event.ts';

/** Responses of `/dashboard/api` beyond those of `/v1`, shared by the server and the dashboard's script. Times are RFC 3339. */

export type MemberRole = Role;

/** `GET /session`. The response is 200 whether or not the browser is signed in. */
export interface DashboardSession {
  /** Address of the signed-in person; null if the browser is not signed in. */
  mail: string | null;
  signed_in_at: string | null;
  /** Whether the sign-in is at most ten minutes old, as sensitive acts need. */
  is_recent: boolean;
  /** True in the emulator: it has no sign-in, and everything is allowed. */
  open: boolean;
  service_name: string;
  docs_url: string;
  /** Base URL of the API, for the commands that the pages show. */
  base_url: string;
  /** The server's time. In the emulator it differs from the browser's. */
  now: string;
  sign_in: SignInMethods;
  accounts: SessionAccount[];
}

export interface SignInMethods {
  link: boolean;
  /** False on a service without a mail server. Links are then in the log of the service, or the operator prints them. */
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

/** `GET /sessions`: a browser in which the person is signed in. */
export interface SessionView {
  id: string;
  created_at: string;
  last_seen_at: string;
  user_agent: string;
  is_current: boolean;
}

/** `GET /passkeys`. */
export interface PasskeyView {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** `GET /accounts/{account_id}`. */
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
  /** Live domains included in the price. */
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

/** `POST /sign-in/links/use`: the session, and the path to open next. */
export interface SignedIn extends DashboardSession {
  next: string;
}

/** `POST /accounts`: the account with its first app. No other response contains the key. */
export interface CreatedAccountView extends AccountView {
  test_key: string;
}

/** `POST /accounts/{account_id}/apps`. No other response contains the key. */
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

/** A line of the audit log. */
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
  /** Pass it as `before` to get the next page. */
  next_before: string | null;
}

/** A list that is short enough for one response. */
export interface ShortList<T> {
  data: T[];
}

/** `GET /apps/{app_id}/overview`: counts, and the steps of the setup checklist. */
export interface AppOverview {
  account_id: string;
  live: ModeOverview;
  test: ModeOverview;
  has_key_used: boolean;
  has_delivered_event: boolean;
}

export interface ModeOverview {
  /** A count of `COUNTED_MAX` means that many domains or more. */
  by_status: Partial<Record<Status, number>>;
  failed_deliveries_24h: number;
}

/** `POST /apps/{app_id}/signing-secret/reveal`. */
export interface RevealedSecret {
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: string | null;
}

/** `POST /apps/{app_id}/test-event`: the event that was sent, and what the receiver responded. */
export interface TestEventResult {
  /** Status of the response; null if there was no response. */
  status_code: number | null;
  /** Why there was no response. */
  error: string | null;
  response_ms: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  event: WebhookBody;
  /** Value of the signature header. */
  signature: string;
}

/** `GET /apps/{app}/connect-preview/{domain_id}`: the words that the customer reads on the connect page now. */
export interface ConnectPreview {
  tone: 'waiting' | 'working' | 'good' | 'bad' | 'quiet';
  headline: string;
  text: string;
  /** Number of `steps` that are done; null if the page shows no steps. */
  steps_done: number | null;
  steps: string[];
  /** Titles of the problems on the page, the most severe first. */
  findings: string[];
}

/** `GET /apps/{app}/origin-probes`: a probe of the app's current origin, the newest first. */
export interface OriginProbeView {
  at: string;
  /** Null if there was no response. */
  status_code: number | null;
  latency_ms: number | null;
  /** Null if the origin is reachable. */
  reason: string | null;
}

/** `status_detail` of a 409 `changed_meanwhile`. */
export interface ChangedMeanwhile {
  /** Current values of the fields in `expected`. */
  now: Record<string, unknown>;
}

/** `GET /accounts/{account_id}/billing`: the plan and the payments, as last read from the billing provider. */
export interface BillingView {
  /** Null if the account has no card on file. */
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null;
  /** The plan that the subscription pays for. */
  paid_plan: PlanName | null;
  /** A plan that was chosen and does not apply yet. */
  plan_asked: PlanName | null;
  period_ends_at: string | null;
  /** True if the subscription ends with its paid period instead of being renewed. */
  ends_with_period: boolean;
  payment_failed_at: string | null;
  /** When the account will be suspended if the payment stays open. */
  suspends_at: string | null;
  /** The plans that can be chosen, in ascending order. */
  choices: PlanName[];
}

/** `GET /accounts/{account_id}/billing/preview`: the effects of choosing a plan. */
export interface PlanPreview {
  kind: 'upgrade' | 'downgrade' | 'same';
  /** Null if the change takes effect at once. */
  takes_effect_at: string | null;
  limit: { from: number; to: number };
  domains: number;
  domains_over_limit: number;
  /** One sentence for each feature that is in use and ends. */
  lost: string[];
}

/** A page of the billing provider to which the browser goes. */
export interface BillingPage {
  url: string;
}
