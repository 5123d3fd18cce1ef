import { createHash } from 'node:crypto';
import { makeApiKey } from '../../shared/core/apps/api-key.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { makeSigningSecret } from '../../shared/core/webhooks/signature.ts';
import { createAccount } from '../../shared/operations/accounts/create-account.ts';
import type { TxContext } from '../../shared/operations/context.ts';
import { changeAppAccount, establishedTerms } from '../state/default-account.ts';
import type { AppSeed } from './seed-schema.ts';

/** An app that a seed names, with its keys and webhook secret. */
export interface SeededApp {
  id: AppId;
  name: string;
  test_key: string;
  live_key: string;
  webhook_secret: string;
}

/**
 * Creates another account with its app, unless an app with this name exists. The app's keys and secrets are derived from its name, so that
 * a team can write them into its settings. They only give access to a process on loopback, like the default app's secrets.
 */
export async function seedApp(
  tx: TxContext,
  defaultApp: AppId,
  { name, account }: AppSeed,
): Promise<SeededApp> {
  const found = await tx.store.db
    .selectFrom('apps')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', defaultApp)
    .executeTakeFirst();
  const given = secretsOf(name);
  const terms = establishedTerms(tx.clock.now());
  const id = found?.id ?? (await createAccount(tx, { name, terms, given })).app.id;
  if (account !== undefined) await changeAppAccount(tx, id, account);
  return {
    id,
    name,
    test_key: given.test_key,
    live_key: given.live_key,
    webhook_secret: given.signing_secret,
  };
}

function secretsOf(name: string) {
  const bytesFor = (what: string) => (bytes: number) =>
    new Uint8Array(createHash('shake256', { outputLength: bytes }).update(`${what} ${name}`).digest());
  return {
    test_key: makeApiKey('test', bytesFor('test')),
    live_key: makeApiKey('live', bytesFor('live')),
    signing_secret: makeSigningSecret(bytesFor('signing')),
  };
}
