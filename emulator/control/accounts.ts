import type { Account } from '../../shared/core/accounts/account.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { timestamp } from '../../shared/core/instant.ts';
import { createAccount } from '../../shared/operations/accounts/create-account.ts';
import { presentApp } from '../../shared/operations/apps/present-app.ts';
import { transact } from '../../shared/operations/context.ts';
import { findApp, getApp } from '../../shared/store/accounts/apps.ts';
import { scheduleJob } from '../../shared/store/jobs/jobs.ts';
import { inTransaction } from '../../shared/store/store.ts';
import { accountSchema } from '../state/account-schema.ts';
import { changeAppAccount, establishedTerms } from '../state/default-account.ts';
import { findFact, saveFact } from '../state/emulator-facts.ts';
import { type ControlAction, readAs } from './action.ts';
import { newAppSchema, whitelabelSchema } from './bodies.ts';

/** Changes the plan, trial, card, suspension and age of the default app's account. */
export const updateDefaultAccount: ControlAction = async ({ emulator, body }) => {
  const change = readAs(accountSchema, body);
  const { id } = emulator.defaultApp();
  return accountBody(await transact(emulator.context, (tx) => changeAppAccount(tx, id, change)));
};

/** Creates another account with its app, so that tests can check that accounts cannot see each other's data. */
export const addOtherAccount: ControlAction = async ({ emulator, body }) => {
  const { name, plan } = readAs(newAppSchema, body);
  const { context } = emulator;
  const terms = { ...establishedTerms(context.clock.now()), ...(plan === undefined ? {} : { plan }) };
  const created = await createAccount(context, { name, terms });
  const { app, test_key, live_key, signing_secret } = created;
  return { app: presentApp(context, app), test_key, live_key, signing_secret };
};

/** Sets the CNAME record that lookups of the app's white-label host return from now on, and checks the host at once. */
export const setWhitelabelFound: ControlAction = async ({ emulator, param, body }) => {
  const { found } = readAs(whitelabelSchema, body);
  const { context } = emulator;
  const app = await findApp(context.store, param as AppId);
  if (app === null) throw new ServiceError('not_found');
  if (app.whitelabel_host === null) {
    throw new ServiceError('validation_failed', {
      message: 'The app has no whitelabel_host. Set one first.',
    });
  }
  const host = app.whitelabel_host;
  await inTransaction(context.store, async (tx) => {
    await saveFact(tx, 'cnames', { ...(await findFact(tx, 'cnames')), [host]: found });
    const ofApp = { subject_id: app.id, app_id: app.id };
    await scheduleJob(tx, { kind: 'check_whitelabel', ...ofApp, due_at: context.clock.now() });
  });
  await emulator.time.advance({ by_ms: 0 });
  return presentApp(context, await getApp(context.store, app.id));
};

/** Returns an account as JSON, with times in RFC 3339. */
export function accountBody(account: Account) {
  return {
    ...account,
    trial_ends_at: timestamp(account.trial_ends_at),
    created_at: timestamp(account.created_at),
  };
}
