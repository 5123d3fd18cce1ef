import type { ReactElement } from 'react';
import type { DashboardSession } from '../../responses.ts';
import { BASE, isOwnPath } from '../navigation.ts';
import { go } from '../router.ts';
import { setSession } from '../session.ts';
import { Alone } from './alone.tsx';
import { SignInMethodList } from './methods.tsx';

/** The page for browsers that are not signed in. @param next path to return to. */
export function SignIn({ session, next }: { session: DashboardSession; next: string }): ReactElement {
  const enter = (signedIn: DashboardSession) => {
    setSession(signedIn);
    go(isOwnPath(next) ? next : BASE, true);
  };
  return (
    <Alone title={`Sign in to ${session.service_name}`}>
      <SignInMethodList session={session} next={next} onSignedIn={enter} />
      <p className="muted">
        {session.sign_in.sign_up === 'open'
          ? 'You have no account yet? Your first sign-in creates one.'
          : 'New people need an invitation from a member of the account.'}
      </p>
    </Alone>
  );
}
