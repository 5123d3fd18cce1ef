import { createApi } from '../../../shared/http/api.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import type { Context } from '../../../shared/operations/context.ts';
import type { LargeApp } from './lists-at-scale-fill.ts';

/** The API on one database, with an app of its own. */
export interface ServedApi {
  app: LargeApp;
  /** Sends a request. @throws Error if the status is not 2xx. */
  send(method: string, path: string, body?: object, mode?: 'live' | 'test'): Promise<Record<string, unknown>>;
}

/** Serves the API without a socket, for an account whose plan has room for every domain. */
export async function serveApi(context: Context): Promise<ServedApi> {
  const { settings } = context;
  const enterprise = { ...settings.plans.enterprise, limit: 100_000_000 };
  const whole = { ...context, settings: { ...settings, plans: { ...settings.plans, enterprise } } };
  const terms = { plan: 'enterprise', card_on_file: true, trial_ends_at: null, created_at: 0 } as const;
  const { app, account, live_key, test_key } = await createAccount(whole, { name: 'bench', terms });
  const api = createApi(whole);
  return {
    app: { app_id: app.id, account_id: account.id },
    async send(method, path, body, mode = 'live') {
      const authorization = `Bearer ${mode === 'live' ? live_key : test_key}`;
      const request = new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const response = await api.fetch(request);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? {} : JSON.parse(text);
    },
  };
}
