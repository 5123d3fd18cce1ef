import { effectivePlan } from '../../core/accounts/account.ts';
import { planRequirement } from '../../core/accounts/plan.ts';
import type { App } from '../../core/apps/app.ts';
import { type Brand, colorProblem } from '../../core/apps/brand.ts';
import { type ParsedHostname, parseHostname } from '../../core/domains/hostname.ts';
import { type FieldProblem, ServiceError, validationFailed } from '../../core/errors.ts';
import type { Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { parseWebhookUrl } from '../../core/net/origin-url.ts';
import type { AppResource, UpdateApp } from '../../schema/app.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { findAppsByVerifiedHost, getApp, lockApp, updateApp } from '../../store/accounts/apps.ts';
import { deleteOriginProbes, insertOriginProbe } from '../../store/accounts/origin-probes.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { hasLiveDomain } from '../../store/domains/domains.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { dropConnectHost } from '../connect/connect-host.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from '../context.ts';
import { checkOrigin, type Probe, probeFields, probeOrigin, storedProbe } from '../edge/probe-origin.ts';
import { spend } from '../spend.ts';
import { presentApp } from './present-app.ts';

/** Refuses a test key once the app has a live domain (`docs/api.md#apps`). */
export async function permitUpdateApp(context: Context, caller: Caller): Promise<void> {
  if (caller.mode === 'test' && (await hasLiveDomain(context.store, caller.app_id))) {
    throw new ServiceError('forbidden', {
      message: 'A test key may not change the app once it has a live domain.',
    });
  }
}

/** Returns all problems of the changed fields that the route's schema cannot detect. */
export function appFieldProblems(context: Context, body: Record<string, unknown>): FieldProblem[] {
  const { webhook_url, whitelabel_host } = body;
  return [
    ...brandProblems(body),
    ...(typeof webhook_url === 'string'
      ? problemsOf(() => parseWebhookUrl(webhook_url, context.settings))
      : []),
    ...(typeof whitelabel_host === 'string'
      ? problemsOf(() => readWhitelabelHost(context, whitelabel_host))
      : []),
  ];
}

const BRAND_PROBLEMS: Readonly<Record<keyof Brand, (value: string) => string | null>> = {
  brand_color: colorProblem,
  brand_logo: logoProblem,
  support_url: (value) => linkProblem(value, { mail: true }),
  return_url: (value) => linkProblem(value, { mail: false }),
};
const BRAND_FIELDS = Object.keys(BRAND_PROBLEMS) as (keyof Brand)[];

function brandProblems(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  return BRAND_FIELDS.flatMap((path) => {
    const value = body[path];
    const message = typeof value === 'string' ? BRAND_PROBLEMS[path](value) : null;
    return message === null ? [] : [{ path, message }];
  });
}

function problemsOf(read: () => unknown): FieldProblem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.status_detail?.['fields'] as FieldProblem[] | undefined) ?? [];
  }
}

/** `docs/api.md#apps`: PATCH /v1/apps/current. Probes a new origin before saving it, outside any transaction. */
export async function updateCurrentApp(
  context: Context,
  caller: Caller,
  input: { body: UpdateApp },
): Promise<Answer<AppResource>> {
  const { body } = input;
  const change: Partial<App> = {};
  let probed: Probed | null = null;
  if (body.name !== undefined) change.name = body.name;
  if (body.apex_redirect_default !== undefined) change.apex_redirect_default = body.apex_redirect_default;
  for (const field of BRAND_FIELDS) {
    const value = body[field];
    if (value !== undefined) change[field] = value;
  }
  if (body.allow_proxied !== undefined) change.allow_proxied = body.allow_proxied;
  if (body.webhook_url !== undefined) change.webhook_url = await checkWebhookUrl(context, body.webhook_url);
  if (body.whitelabel_host !== undefined) {
    Object.assign(change, await whitelabelChange(context, caller, body.whitelabel_host));
  }
  if (body.origin_url !== undefined) {
    // Limits probes, because each sends up to six requests, maybe to foreign servers. In the emulator, the servers are the developer's.
    if (!context.settings.timerForLive) await spend(context, 'origin_probes', caller.account_id);
    const originUrl = await checkOrigin(context, caller.app_id, body.origin_url);
    const probe = await probeOrigin(context, originUrl);
    if (!probe.reachable && probe.reason === 'origin_not_allowed')
      throw new ServiceError('origin_not_allowed');
    probed = { origin_url: originUrl, probe, at: context.clock.now() };
  }
  const app = await transact(context, (tx) => save(tx, caller, change, probed));
  return { status: 200, body: presentApp(context, app) };
}

/** The new origin of an app, and the result of its probe. */
interface Probed {
  origin_url: string;
  probe: Probe;
  at: Instant;
}

/** @param probed null if the request sets no origin. */
async function save(
  tx: TxContext,
  caller: Caller,
  change: Partial<App>,
  probed: Probed | null,
): Promise<App> {
  const { store } = tx;
  const id = caller.app_id;
  const app = await lockApp(store, id);
  const now = tx.clock.now();
  if (probed !== null) {
    const { origin_url, probe, at } = probed;
    const isKnown = origin_url === app.origin_url;
    // Setting a different origin resets the count of failures. Setting the same URL again adds one more probe to the existing history.
    const fields = probeFields(isKnown ? app : { origin_failures: 0 }, probe, at);
    Object.assign(change, { origin_url, ...(!isKnown && { origin_latency_ms: null }) }, fields);
    if (!isKnown) await deleteOriginProbes(store, id);
  }
  if (Object.keys(change).length === 0) return app;
  await updateApp(store, id, change);
  if (change.webhook_url === null)
    await scheduleJob(store, { kind: 'end_deliveries', subject_id: id, app_id: id, due_at: now });
  if (probed !== null) {
    await insertOriginProbe(store, id, storedProbe(probed.probe, probed.at));
    const dueAt = now + LIMITS.probe_every_ms;
    await scheduleJob(store, { kind: 'probe_origin', subject_id: id, app_id: id, due_at: dueAt });
    tx.notices.publish({ kind: 'routes', app_id: id });
  }
  const { whitelabel_host: host } = app;
  if (host !== null && change.whitelabel_host !== undefined && change.whitelabel_host !== host)
    await dropConnectHost(tx, id, host);
  if (change.whitelabel_host !== undefined) {
    // Each check queries name servers that the account can choose, so the number of checks is limited. Beyond the limit, the check runs
    // later. If the request removes the white-label host, the job runs once more without a lookup.
    const isLast = change.whitelabel_host === null;
    const waitMs = isLast ? 0 : ((await countUse(store, 'host_checks', app.account_id, now)) ?? 0);
    await scheduleJob(store, { kind: 'check_whitelabel', subject_id: id, app_id: id, due_at: now + waitMs });
  }
  tx.notices.publish({ kind: 'work' });
  return getApp(store, id);
}

async function checkWebhookUrl(context: Context, input: string | null): Promise<string | null> {
  if (input === null) return null;
  const url = parseWebhookUrl(input, context.settings);
  const { hostname } = new URL(url);
  if ((await context.outbound.check(hostname)) !== 'not_allowed') return url;
  throw validationFailed({
    path: 'webhook_url',
    message: `${hostname} resolves to an address that is not public`,
  });
}

/** Returns the white-label fields to change. A new host is unverified at first. Setting the same host again changes nothing. */
async function whitelabelChange(
  context: Context,
  caller: Caller,
  input: string | null,
): Promise<Partial<App>> {
  const host = input === null ? null : readWhitelabelHost(context, input);
  if (host !== null) {
    const now = context.clock.now();
    const account = await findAccount(context.store, caller.account_id);
    const { plans } = context.settings;
    if (account === null || !effectivePlan(account, plans, now).whitelabel) {
      throw new ServiceError('plan_required', {
        message: `White-label ${planRequirement(plans, 'whitelabel')}.`,
      });
    }
    const owners = await findAppsByVerifiedHost(context.store, host);
    if (owners.some(({ id }) => id !== caller.app_id)) {
      throw validationFailed(whitelabelProblem('is used by another app'));
    }
  }
  const app = await getApp(context.store, caller.app_id);
  return app.whitelabel_host === host ? {} : unverifiedHost(host, host === null ? null : context.clock.now());
}

function readWhitelabelHost(context: Context, input: string): string {
  const { hostname, is_apex } = parsedHost(context, input);
  if (is_apex) {
    const message = `must be a subdomain, such as domains.${hostname}: an apex cannot have the CNAME that it needs`;
    throw validationFailed(whitelabelProblem(message));
  }
  return hostname;
}

function parsedHost({ settings }: Context, input: string): ParsedHostname {
  try {
    return parseHostname(input, settings.serviceZones);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw validationFailed(whitelabelProblem(error.message));
  }
}

function whitelabelProblem(message: string): FieldProblem {
  return { path: 'whitelabel_host', message };
}

function unverifiedHost(whitelabelHost: string | null, whitelabelSetAt: Instant | null): Partial<App> {
  return {
    whitelabel_host: whitelabelHost,
    whitelabel_set_at: whitelabelSetAt,
    whitelabel_verified: false,
    whitelabel_found: null,
    whitelabel_checked_at: null,
    whitelabel_grace_ends_at: null,
  };
}

const LOGO = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;
const LOGO_BYTES_MAX = 32 * 1024;
const LOGO_PIXELS_MAX = 1024;
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the problem of a logo; null if the page can show it. Accepts only PNG, which can contain no script and no link, and whose header
 * states the size of the image.
 */
export function logoProblem(logo: string): string | null {
  const text = LOGO.exec(logo)?.[1];
  if (text === undefined) return 'must be a PNG as data:image/png;base64,…';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > LOGO_BYTES_MAX) return 'must have at most 32 KiB';
  const isPng = bytes.length > 24 && bytes.subarray(0, 8).equals(PNG_START);
  if (!isPng || bytes.subarray(12, 16).toString('latin1') !== 'IHDR') return 'is not a PNG';
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (sides.some((side) => side === 0 || side > LOGO_PIXELS_MAX)) {
    return 'must be at most 1024 pixels wide and high';
  }
  return null;
}

/** Returns the problem of a link that a customer follows; null if it is safe to show. */
export function linkProblem(link: string, options: { mail: boolean }): string | null {
  const expected = options.mail ? 'must be an https URL, or mailto: with an address' : 'must be an https URL';
  if (/[\p{Cc}\p{Cf}\p{Cs}\s"<>\\]/u.test(link) || !URL.canParse(link)) return expected;
  const { protocol, username, password, pathname } = new URL(link);
  if (options.mail && protocol === 'mailto:') return /^[^@,]+@[^@,]+$/.test(pathname) ? null : expected;
  return protocol === 'https:' && username === '' && password === '' ? null : expected;
}
