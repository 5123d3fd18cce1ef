import { type FormEvent, type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { DashboardSession } from '../../responses.ts';
import { ask } from '../ask.ts';
import { returnPath } from '../navigation.ts';
import { fieldsOf, TextField } from '../parts/forms.tsx';
import { withQuery } from '../router.ts';
import { RequestError, sentencesOf } from '../send.ts';
import { hasPasskeys, signInWithPasskey } from './passkey.ts';

/**
 * Offers the ways to sign in.
 * @param input.mail the mail address, if a signed-in person confirms their identity.
 * @param input.onSignedIn called with the session after a sign-in with a passkey. A sign-in link opens in another tab instead.
 */
export function SignInMethodList(input: {
  session: DashboardSession;
  mail?: string | null;
  next: string;
  onSignedIn: (session: DashboardSession) => void;
}): ReactElement {
  const { session, mail: fixedMail = null, next, onSignedIn } = input;
  const { link, mails, passkey, oidc } = session.sign_in;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (thrown) {
      setProblem(isDismissal(thrown) ? 'No passkey was used.' : sentencesOf(thrown).join(' '));
    } finally {
      setBusy(false);
    }
  }

  function sendLink(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const mail = fixedMail ?? fieldsOf(event.currentTarget)['email'] ?? '';
    void run(async () => {
      await ask('POST /sign-in/links', { mail, next: returnPath(next) });
      setSentTo(mail);
    });
  }

  const usePasskey = () => void run(async () => onSignedIn(await signInWithPasskey()));

  return (
    <div className="form">
      {link ? (
        <form className="form" onSubmit={sendLink}>
          {fixedMail === null ? (
            <TextField
              label="Email address"
              type="email"
              name="email"
              autoComplete="username webauthn"
              required
              data-first=""
            />
          ) : (
            <p>
              You are signed in as <strong>{fixedMail}</strong>.
            </p>
          )}
          <button type="submit" className="btn lead" aria-disabled={busy || undefined}>
            {sentTo !== null ? 'Send another link' : mails ? 'Email me a sign-in link' : 'Get a sign-in link'}
          </button>
        </form>
      ) : oidc === null ? (
        <div>
          <p>This service sends no email. Its operator can print a link that signs you in:</p>
          <pre>
            <code>nameplate service sign-in {fixedMail ?? 'you@example.com'}</code>
          </pre>
        </div>
      ) : null}
      <div role="status">
        {sentTo === null ? null : (
          <p className="verdict good">
            {mails
              ? `If ${sentTo} may sign in, a link is on its way.`
              : `This service sends no email. If ${sentTo} may sign in, the log of the service now has a link.`}{' '}
            Open it in this browser within 15 minutes. It works once.
          </p>
        )}
      </div>
      <p className="bad-text lines" role="alert">
        {problem}
      </p>
      {(passkey && hasPasskeys()) || oidc !== null ? (
        <div className="ways">
          {link ? (
            <p className="or">
              <span>or</span>
            </p>
          ) : null}
          {passkey && hasPasskeys() ? (
            <button type="button" onClick={usePasskey} aria-disabled={busy || undefined}>
              <Icon name="key" /> Use a passkey
            </button>
          ) : null}
          {oidc === null ? null : (
            <a className="btn" href={withQuery('/dashboard/sign-in/oidc', { next: returnPath(next) })}>
              <Icon name="people" /> Sign in with {oidc.name}
            </a>
          )}
        </div>
      ) : null}
    </div>
  );
}

/** True if the person closed the browser's passkey dialog. */
function isDismissal(thrown: unknown): boolean {
  return !(thrown instanceof RequestError) && thrown instanceof Error && thrown.name === 'NotAllowedError';
}
