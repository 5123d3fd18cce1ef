import { hashApiKey } from '../../shared/core/apps/api-key.ts';
import { MODES } from '../../shared/core/domains/status.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { presentApiKey } from '../../shared/operations/apps/api-keys.ts';
import { presentApp } from '../../shared/operations/apps/present-app.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { findAccount } from '../../shared/store/accounts/accounts.ts';
import { listApiKeys } from '../../shared/store/accounts/api-keys.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { InspectedApp } from '../lab/responses.ts';
import { DEFAULT_SECRETS } from '../state/default-account.ts';
import { appIds } from '../state/state-tables.ts';
import { accountBody } from './accounts.ts';
import type { ControlAction } from './action.ts';

/** Lists every app with its account, keys and secrets: the default app first, then the newest. */
export const listApps: ControlAction = async ({ emulator }): Promise<{ data: InspectedApp[] }> => {
  const ids = await appIds(emulator.context.store);
  const apps = await Promise.all(ids.map((id) => inspectApp(emulator, id)));
  return {
    data: apps.sort(
      (a, b) =>
        Number(b.is_default) - Number(a.is_default) || b.app.created_at.localeCompare(a.app.created_at),
    ),
  };
};

const KEYS_SHOWN_MAX = 100;

/** The default API keys by their hashes, because the store has only hashes. */
const OWN_KEYS = new Map(
  [DEFAULT_SECRETS.test_key, DEFAULT_SECRETS.live_key].map((key) => [hashApiKey(key), key]),
);

async function inspectApp({ context, defaultApp }: EmulatorComposition, id: AppId): Promise<InspectedApp> {
  const { store } = context;
  const app = await getApp(store, id);
  const account = await findAccount(store, app.account_id);
  if (account === null) throw new ServiceError('not_found');
  const keys = await listApiKeys(store, id, MODES, { limit: KEYS_SHOWN_MAX, after: null });
  const counted = await store.db
    .selectFrom('domains')
    .select((eb) => ['mode', eb.fn.countAll<number>().as('count')] as const)
    .where('app_id', '=', id)
    .where('status', '<>', 'deleted')
    .groupBy('mode')
    .execute();
  const countOf = (mode: string) => counted.find((each) => each.mode === mode)?.count ?? 0;
  return {
    app: presentApp(context, app),
    account: accountBody(account),
    is_default: id === defaultApp().id,
    signing_secrets: openSigningSecrets(context, app),
    keys: keys.rows.map((key) => ({ ...presentApiKey(key), key: OWN_KEYS.get(key.hash) ?? null })),
    domains: { live: countOf('live'), test: countOf('test') },
  };
}
