import type { AppId } from '../../core/ids.ts';
import type { ReasonCode } from '../../core/reasons.ts';
import { lockApp } from '../../store/accounts/apps.ts';
import { lockDomainById } from '../../store/domains/domains.ts';
import { findDomainsBrokenBy } from '../../store/domains/feature-use.ts';
import { type Context, transact } from '../context.ts';
import { hasWhitelabel } from './customer-target.ts';
import { recordTransition } from './record-transition.ts';

const REASONS = ['whitelabel_unverified', 'whitelabel_ended'] as const satisfies ReasonCode[];
/** Domains per transaction: few enough that other transactions do not wait long for their rows. */
const BATCH = 100;

/**
 * Takes domains on the test timer out of `dns_broken` if they broke with a white-label host that serves again, or that the app no longer
 * has (`docs/test-mode.md`). No DNS check finds their recovery.
 */
export async function recoverTimerDomains(context: Context, appId: AppId): Promise<void> {
  const modes = context.settings.timerForLive ? (['test', 'live'] as const) : (['test'] as const);
  let found: number;
  do {
    found = await transact(context, async (tx) => {
      const app = await lockApp(tx.store, appId);
      const serves = app.whitelabel_verified && (await hasWhitelabel(tx, app));
      const brokenHost = serves ? null : app.whitelabel_host;
      const ids = await findDomainsBrokenBy(tx.store, { appId, modes, reasons: REASONS, brokenHost }, BATCH);
      for (const id of ids) {
        const domain = await lockDomainById(tx.store, id);
        if (domain?.status === 'dns_broken') await recordTransition(tx, domain, { name: 'dns_confirmed' });
      }
      return ids.length;
    });
  } while (found === BATCH);
}
