import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { startNode } from '../../../service/node.ts';
import type { AccountTerms } from '../../../shared/operations/accounts/create-account.ts';
import { type CreatedAccount, createAccount } from '../../../shared/operations/accounts/create-account.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';
import { startProfile } from '../profile.ts';
import { type SeenStatement, seenStatements } from './seen-statements.ts';

/**
 * A program that runs a node with only the API. Prints one JSON document, `BenchApi`, once it is ready. When it ends, it writes the parts
 * of its profile to the file that PROFILE_FILE names, if any.
 */
export interface BenchApi {
  url: string;
  accounts: {
    key: string;
    /** The statements that one create of a domain sent to the database. */
    seen: SeenStatement[];
  }[];
}

const ACCOUNTS = 20;
const TERMS: AccountTerms = { plan: 'enterprise', card_on_file: true, trial_ends_at: null, created_at: 0 };
const ANY_PORT = { host: '127.0.0.1', port: 0 };

const config = benchConfig(process.env['DATABASE_URL'] ?? '');
await migrated(config.databaseUrl ?? '');
const node = await startNode({ ...config, roles: ['api'], api: ANY_PORT, admin: ANY_PORT }, BENCH_LOG);
const { context } = node.composition;
const accounts: BenchApi['accounts'] = [];
for (let n = 0; n < ACCOUNTS; n++) {
  const webhookUrl = 'https://hooks.example.com/nameplate';
  const created = await createAccount(context, { name: `bench ${n}`, terms: TERMS, webhook_url: webhookUrl });
  if (created.live_key === null) throw new Error('the account got no live key');
  accounts.push({ key: created.live_key, seen: await seeCreate(context, created) });
}
const profileFile = process.env['PROFILE_FILE'];
const endProfile = profileFile === undefined ? null : await startProfile();
const document: BenchApi = { url: `http://127.0.0.1:${node.addresses.api?.port}`, accounts };
console.log(JSON.stringify(document));
await once(process, 'SIGTERM');
if (profileFile !== undefined && endProfile) writeFileSync(profileFile, JSON.stringify(await endProfile()));
await node.stop();
process.exit();

function seeCreate(context: Context, { app, account }: CreatedAccount): Promise<SeenStatement[]> {
  const ids = { app_id: app.id, account_id: account.id, key_id: context.ids('key') };
  const caller: Caller = { ...ids, mode: 'live', idempotency: null };
  return seenStatements(() => createDomain(context, caller, { body: { hostname: 'careers.example.com' } }));
}
