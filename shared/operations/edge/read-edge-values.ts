import { type Account, effectivePlan } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import {
  type AppValue,
  type HostCertificate,
  type HostValue,
  splitChain,
} from '../../core/edge/edge-value.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { getAccounts } from '../../store/accounts/accounts.ts';
import { getApps } from '../../store/accounts/apps.ts';
import { findNewestCertificates, type StoredCertificate } from '../../store/certificates/certificates.ts';
import type { RoutedDomain } from '../../store/domains/routes.ts';
import { openCertificateKey } from '../certificates/certificate-keys.ts';
import type { Context } from '../context.ts';
import { sealedFor } from '../events/signing-secrets.ts';

/** A host's value, and the certificates of its issuers, which are a value of their own. */
export interface ReadHost {
  /** Null if this process cannot open the key of the certificate. */
  value: HostValue | null;
  /** Null if the host has no certificate from an authority. */
  chain: { hash: string; pem: string } | null;
}

/**
 * Returns the value of a domain's hostname, without the certificate of an authority. Null if the domain is deleted. Other statuses do not
 * matter, so visitors do not notice a renewal, a retry or a broken record (`docs/domains.md`).
 */
export function hostValueOf(domain: RoutedDomain): HostValue | null {
  const { id, app_id, mode, status, certificate, origin, origin_headers, apex_redirect } = domain;
  if (status === 'deleted') return null;
  return {
    domain_id: id,
    app_id,
    mode,
    is_held: status === 'held',
    not_before: certificate?.not_before ?? 0,
    not_after: certificate?.not_after ?? 0,
    origin,
    origin_headers,
    redirects_www: apex_redirect === 'www',
    certificate: null,
  };
}

/**
 * Reads the values of hostnames with their certificates. Leaves out a hostname if its domain is deleted, or is not held and has no
 * certificate.
 * @param domains the domains that the edge serves at their hostname.
 */
export async function readHosts(
  context: Context,
  domains: readonly RoutedDomain[],
): Promise<Map<string, ReadHost>> {
  const values = new Map(domains.map((domain) => [domain, hostValueOf(domain)]));
  const served = domains.filter((domain) => values.get(domain) !== null);
  const newest =
    served.length === 0
      ? new Map<string, StoredCertificate>()
      : await findNewestCertificates(
          context.store,
          served.flatMap(({ id, holder_id }) => (id === holder_id ? [id] : [holder_id, id])),
        );
  const now = context.clock.now();
  const hosts = new Map<string, ReadHost>();
  for (const domain of served) {
    const value = values.get(domain);
    if (!value) continue;
    // If the domain that has the hostname (`holder_id`) already has a certificate, prefer it, even while the edge still serves the domain
    // that had the hostname before. The certificate of an apex that takes its `www.` name may lack the name.
    const known = [newest.get(domain.holder_id), newest.get(domain.id)]
      .filter((each) => each !== undefined)
      .filter(({ names }) => names.includes(domain.hostname));
    const stored = known.find((each) => now < each.not_after) ?? known[0];
    if (stored) hosts.set(domain.hostname, withCertificate(context, value, stored));
    else if (value.is_held || domain.certificate !== null) hosts.set(domain.hostname, { value, chain: null });
  }
  return hosts;
}

/** Uses a stored certificate before the domain has it, because the order ends only when the edge presents the certificate. */
function withCertificate(context: Context, value: HostValue, stored: StoredCertificate): ReadHost {
  const { leaf, issuers, rest } = splitChain(stored.chain);
  const chain = { hash: issuers, pem: rest };
  const privateKey = readable(context, stored.id, () => openCertificateKey(context, stored));
  if (privateKey === undefined) return { value: value.is_held ? value : null, chain };
  const { serial, names, not_after } = stored;
  const certificate: HostCertificate = { serial, names, not_after, leaf, issuers, private_key: privateKey };
  return { value: { ...value, certificate }, chain };
}

/** Reads the values of apps. An app that no longer exists, or whose secret cannot be opened, is missing from the result. */
export async function readApps(context: Context, ids: readonly AppId[]): Promise<Map<AppId, AppValue>> {
  if (ids.length === 0) return new Map();
  const { store } = context;
  const apps = await getApps(store, [...new Set(ids)]);
  const accounts = await getAccounts(
    store,
    [...apps.values()].map(({ account_id }) => account_id),
  );
  const values = new Map<AppId, AppValue>();
  for (const [id, app] of apps) {
    const account = accounts.get(app.account_id);
    const value = account && readable(context, id, () => appValueOf(context, app, account));
    if (value) values.set(id, value);
  }
  return values;
}

/** Returns what `read` returns; undefined if a secret cannot be opened, so that one such secret does not stop the values of others. */
function readable<T>({ log }: Context, id: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    log.error({ error, id }, 'a secret for edges cannot be opened');
    return undefined;
  }
}

/** The value does not depend on the time of the derivation, so that a later derivation finds no difference. */
function appValueOf(context: Context, app: App, account: Account): AppValue {
  const open = (sealed: string) => context.secrets.open(sealed, sealedFor(app.id));
  const { previous_signing_secret: previous, previous_valid_until: until } = app;
  const includes = (at: Instant) => effectivePlan(account, context.settings.plans, at).per_domain_origin;
  const changesAt = account.plan === 'free' ? account.trial_ends_at : null;
  return {
    origin: app.origin_url,
    secret: open(app.signing_secret),
    previous: previous === null || until === null ? null : { secret: open(previous), until },
    domain_origins: {
      before: includes((changesAt ?? 1) - 1),
      changes_at: changesAt,
      after: includes(changesAt ?? 0),
    },
  };
}
