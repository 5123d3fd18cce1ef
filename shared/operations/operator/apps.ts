import { type AppWithSecrets, addApp } from '../accounts/create-account.ts';
import type { Context } from '../context.ts';
import { getAccount } from './accounts.ts';
import { withAudit } from './with-audit.ts';

/**
 * Adds an app to an account, with its first keys and its signing secret. Only this result shows the keys and the secret. The apps of an
 * account share its plan and its limit of domains.
 * @throws ServiceError `not_found`.
 */
export async function openApp(
  context: Context,
  actor: string,
  accountId: string,
  name: string,
): Promise<AppWithSecrets> {
  return withAudit(
    context,
    { actor, action: 'app.create', subject: accountId, detail: { name } },
    async (tx) => {
      const { account } = await getAccount(tx, accountId);
      return addApp(tx, account, { name });
    },
  );
}
