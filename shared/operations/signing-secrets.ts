import { type App, sealedSecrets } from '../core/app.ts';
import type { AppId, DomainId } from '../core/ids.ts';
import { getApp } from '../store/apps.ts';
import { findDomainById } from '../store/domains.ts';
import type { Context } from './context.ts';

/** The signing secrets of an app, opened. */
export interface SigningSecrets {
  /** What requests to the origin are signed with: the secret that it already accepts (section 5.7). */
  accepted: string;
  /** What webhooks are signed with: during a rotation the new and the previous one (section 6). */
  all: string[];
}

export function openSigningSecrets(context: Context, app: App): SigningSecrets {
  const { accepted, all } = sealedSecrets(app, context.clock.now());
  const open = (sealed: string) => context.secrets.open(sealed, sealedFor(app.id));
  return { accepted: open(accepted), all: all.map(open) };
}

/** What a sealed signing secret is bound to. */
export function sealedFor(app_id: AppId): string {
  return `signing-secret:${app_id}`;
}

/** The secrets that count for a domain's requests now; none where there is no such domain. */
export async function findSigningSecrets(context: Context, domain_id: string): Promise<string[]> {
  const domain = await findDomainById(context.store, domain_id as DomainId);
  if (domain === null) return [];
  return openSigningSecrets(context, await getApp(context.store, domain.app_id)).all;
}
