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
 * Our account at an authority, made where there is none. Its key is stored first, so that nodes that need it at the same time, or one
 * that stops in between, come to the same account (RFC 8555 section 7.3.1).
 */
export async function acmeAccount(
  context: Context,
  authority: CertificateAuthority,
): Promise<{ account: CaAccount } | { problem: AcmeProblem }> {
  const { store, secrets, clock } = context;
  const { directory_url } = authority.ca;
  const bound_to = accountBinding(directory_url);
  const stored =
    (await findAcmeAccount(store, directory_url)) ??
    (await insertAcmeAccount(store, {
      directory_url,
      account_url: null,
      private_key: secrets.seal(await makePrivateKey(), bound_to),
      created_at: clock.now(),
    }));
  const private_key = openPrivateKey(secrets, stored.private_key, bound_to);
  if (stored.account_url !== null) return { account: { account_url: stored.account_url, private_key } };
  const answer = await authority.newAccount(private_key);
  if (!answer.ok) return { problem: answer.problem };
  await setAccountUrl(store, directory_url, answer.value);
  return { account: { account_url: answer.value, private_key } };
}

/** The authority has lost it: the same key gets a new one. The account that another worker has made meanwhile stays. */
export async function forgetAccount(
  { store }: Context,
  { ca }: CertificateAuthority,
  { account_url }: CaAccount,
): Promise<void> {
  await forgetAccountUrl(store, ca.directory_url, account_url);
}
