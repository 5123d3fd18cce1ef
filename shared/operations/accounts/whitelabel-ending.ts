import {
  type WhitelabelMailFacts,
  whitelabelEndedMail,
  whitelabelEndsMail,
} from '../../core/accounts/billing-mail-texts.ts';
import { type App, cnameTarget } from '../../core/apps/app.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import {
  deleteWhitelabelEnding,
  findWhitelabelEnding,
  saveWhitelabelEnding,
} from '../../store/accounts/whitelabel-endings.ts';
import { countDomainsRoutedThrough } from '../../store/domains/feature-use.ts';
import type { TxContext } from '../context.ts';
import { mailFacts, queueOwnerMails } from './owner-mails.ts';

/** How long before the end the second of the three mails is due. */
const REMINDER_MS = DAY_MS;

/**
 * Tells the owners that a white-label host ends with the plan: at the start of the grace period, a day before its end, and at its end. Once
 * the plan includes white-label again, forgets which mails were sent.
 * @returns when the next mail is due, or null if none is.
 */
export async function noticeWhitelabelEnding(
  tx: TxContext,
  app: App,
  included: boolean,
): Promise<Instant | null> {
  const { id, whitelabel_host: host, whitelabel_grace_ends_at: endsAt } = app;
  const ending = await findWhitelabelEnding(tx.store, id);
  if (included || host === null || endsAt === null) {
    if (ending !== null) await deleteWhitelabelEnding(tx.store, id);
    return null;
  }
  const now = tx.clock.now();
  const sent = ending?.ends_at === endsAt ? ending.mails : 0;
  const due = [endsAt - REMINDER_MS, endsAt].filter((at) => at <= now).length + 1;
  if (due > sent) {
    const facts = await factsOf(tx, app, { host, endsAt });
    if (facts !== null) {
      const mail = now < endsAt ? whitelabelEndsMail(facts) : whitelabelEndedMail(facts);
      await queueOwnerMails(tx, app.account_id, mail);
    }
    await saveWhitelabelEnding(tx.store, { app_id: id, ends_at: endsAt, mails: due });
  }
  return now < endsAt - REMINDER_MS ? endsAt - REMINDER_MS : null;
}

async function factsOf(
  tx: TxContext,
  app: App,
  { host, endsAt }: { host: string; endsAt: Instant },
): Promise<WhitelabelMailFacts | null> {
  const account = await findAccount(tx.store, app.account_id);
  if (account === null) return null;
  return {
    ...mailFacts(tx, account),
    app_name: app.name,
    host,
    target: cnameTarget(app, tx.settings.edgeZone),
    domains: await countDomainsRoutedThrough(tx.store, app.id, host),
    endsAt,
  };
}
