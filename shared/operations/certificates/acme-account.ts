import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import type { CaAccount, CertificateAuthority } from '../../ports/certificate-authority.ts';
import {
  findAcmeAccount,
  forgetAccountUrl,
  insertAcmeAccount,
  setAccountUrl,
} from '../../store/certificates/acme-accounts.ts';
import type { Context } from '../context.ts';
import { accountBinding, makePrivateKey, openPrivateKey } from './certificate-keys.ts';

/**
 * Returns our account at an authority, and creates it if there is none. The key is stored before the account is requested. So nodes that
 * need the account at the same time, or after a crash, get the same one (RFC 8555 section 7.3.1).
 */
export async function acmeAccount(
  context: Context,
  authority: CertificateAuthority,
): Promise<{ account: CaAccount } | { problem: AcmeProblem }> {
  const { store, secrets, clock } = context;
  const { directory_url } = authority.ca;
  const boundTo = accountBinding(directory_url);
  const stored =
    (await findAcmeAccount(store, directory_url)) ??
    (await insertAcmeAccount(store, {
      directory_url,
      account_url: null,
      private_key: secrets.seal(await makePrivateKey(), boundTo),
      created_at: clock.now(),
    }));
  const privateKey = openPrivateKey(secrets, stored.private_key, boundTo);
  if (stored.account_url !== null)
    return { account: { account_url: stored.account_url, private_key: privateKey } };
  const answer = await authority.newAccount(privateKey);
  if (!answer.ok) return { problem: answer.problem };
  await setAccountUrl(store, directory_url, answer.value);
  return { account: { account_url: answer.value, private_key: privateKey } };
}

/**
 * Forgets an account that the authority has lost, so that the same key registers a new one. Keeps a newer account that another worker has
 * stored.
 */
export async function forgetAccount(
  { store }: Context,
  { ca }: CertificateAuthority,
  { account_url }: CaAccount,
): Promise<void> {
  await forgetAccountUrl(store, ca.directory_url, account_url);
}
