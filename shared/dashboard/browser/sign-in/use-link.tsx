import { type ReactElement, useState } from 'react';
import type { DashboardSession, SignedIn } from '../../responses.ts';
import { ask } from '../ask.ts';
import { BASE, isOwnPath } from '../navigation.ts';
import { Link } from '../parts/link.tsx';
import { refresh } from '../reading.ts';
import { go } from '../router.ts';
import { RequestError, sentencesOf } from '../send.ts';
import { setSession } from '../session.ts';
import { Alone } from './alone.tsx';

/** The page that a sign-in link opens. The person signs in only with the button of the page, because mail scanners open links. */
export function UseLink({ session, token }: { session: DashboardSession; token: string }): ReactElement {
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function enter(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      const signedIn = await ask<SignedIn>('POST /sign-in/links/use', { token });
      setSession(signedIn);
      go(isOwnPath(signedIn.next) ? signedIn.next : BASE, true);
      void refresh();
    } catch (thrown) {
      setProblem(thrown);
    } finally {
      setBusy(false);
    }
  }

  const isInvalid = problem instanceof RequestError && problem.status === 410;
  return (
    <Alone title={`Sign in to ${session.service_name}`} service={session.service_name}>
      {isInvalid ? null : (
        <button
          type="button"
          className="btn lead"
          aria-disabled={busy || undefined}
          onClick={() => void enter()}
        >
          Sign in
        </button>
      )}
      <p className="bad-text" role="alert">
        {problem === null ? '' : sentencesOf(problem).join(' ')}
      </p>
      {isInvalid ? (
        <Link className="btn" href="/dashboard/sign-in">
          Ask for a new link
        </Link>
      ) : null}
    </Alone>
  );
}
