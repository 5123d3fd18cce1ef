import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import type { CaAccount, CertificateAuthority } from '../../ports/certificates.ts';
import {
  deleteAcmeAccount,
  findAcmeAccount,
  forgetAccountUrl,
  insertAcmeAccount,
  setAccountUrl,
} from '../../store/certificates/acme-accounts.ts';
import { autocommit } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { accountBinding, makePrivateKey, openPrivateKey } from './certificate-keys.ts';

/**
 * Returns our account at an authority, and creates the account if there is none. Stores the key before it requests the account. So all
 * nodes get the same account, even at the same time or after a crash (RFC 8555 section 7.3.1).
 */
export async function acmeAccount(
  context: Context,
  authority: CertificateAuthority,
): Promise<{ ok: true; account: CaAccount } | { ok: false; problem: AcmeProblem }> {
  const { store, secrets, clock } = context;
  const { directory_url } = authority.ca;
  const boundTo = accountBinding(directory_url);
  const known = await findAcmeAccount(store, directory_url);
  const stored =
    known ??
    (await insertAcmeAccount(autocommit(store), {
      directory_url,
      account_url: null,
      private_key: secrets.seal(await makePrivateKey(), boundTo),
      created_at: clock.now(),
    }));
  const privateKey = openPrivateKey(secrets, stored.private_key, boundTo);
  if (stored.account_url !== null)
    return { ok: true, account: { account_url: stored.account_url, private_key: privateKey } };
  const answer = await authority.newAccount(privateKey);
  if (!answer.ok) {
    // The key belongs to a deactivated account. The next attempt registers an account with a new key.
    if (known !== null && isAccountRefusal(answer.problem)) await deleteAcmeAccount(autocommit(store), known);
    return answer;
  }
  await setAccountUrl(autocommit(store), directory_url, answer.value);
  return { ok: true, account: { account_url: answer.value, private_key: privateKey } };
}

/**
 * Gives up an account if a refusal shows that the authority has lost or deactivated it. We register a lost account again with the same key.
 * A deactivated account needs a new key, so this reads the account's status first: a refusal may have another cause (RFC 8555 section
 * 7.3.6). If another worker has stored a newer account, does nothing.
 */
export async function checkAccount(
  { store, log }: Context,
  authority: CertificateAuthority,
  account: CaAccount,
  problem: AcmeProblem,
): Promise<void> {
  const { directory_url, name } = authority.ca;
  const { account_url } = account;
  if (problem.type === 'accountDoesNotExist')
    return forgetAccountUrl(autocommit(store), directory_url, account_url);
  if (!isAccountRefusal(problem)) return;
  const status = await authority.accountStatus(account);
  if (status.ok ? status.value === 'valid' : !isAccountRefusal(status.problem)) return;
  const stored = await findAcmeAccount(store, directory_url);
  if (stored?.account_url !== account_url) return;
  log.error({ ca: name, account_url, problem }, 'an account was deactivated; a new one will be registered');
  await deleteAcmeAccount(autocommit(store), stored);
}

/** Returns whether a problem means that the authority refuses our account. Some authorities send no error type for an unknown account. */
function isAccountRefusal({ type, status }: AcmeProblem): boolean {
  return type === 'unauthorized' || type === 'accountDoesNotExist' || status === 401;
}
