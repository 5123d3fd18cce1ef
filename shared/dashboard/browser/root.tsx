import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import type { DashboardSession } from '../responses.ts';
import { type Addition, AdditionContext } from './addition.ts';
import { BASE, isOwnPath, SIGN_IN, usePlace } from './navigation.ts';
import { ShownOnce } from './parts/shown-once.tsx';
import { cache } from './reading.ts';
import { go, useAddress } from './router.ts';
import { setSession, useSession } from './session.ts';
import { Shell } from './shell.tsx';
import { Alone } from './sign-in/alone.tsx';
import { ConfirmDialog } from './sign-in/confirm-dialog.tsx';
import { SignInMethodList } from './sign-in/methods.tsx';
import { UseLink } from './sign-in/use-link.tsx';

/**
 * Renders the sign-in page or the dashboard, depending on the session.
 * @param addition the additions of the emulator; null in the service.
 */
export function Root({ addition }: { addition: Addition | null }): ReactElement {
  return (
    <QueryClientProvider client={cache}>
      <AdditionContext value={addition}>
        <Content />
        <ConfirmDialog />
        <ShownOnce />
      </AdditionContext>
    </QueryClientProvider>
  );
}

function Content(): ReactElement {
  const { session, error } = useSession();
  const { path, query } = useAddress();
  const { appId } = usePlace();
  const isSignIn = path === SIGN_IN;
  useEffect(() => {
    if (session !== null && (isSignIn || session.mail === null)) document.title = session.service_name;
  }, [session, isSignIn]);
  if (session === null) {
    return <Alone title="Dashboard">{error === null ? <p>Loading…</p> : <p>{error.message}</p>}</Alone>;
  }
  if (!session.open && isSignIn && location.hash.length > 1) {
    return <UseLink session={session} token={location.hash.slice(1)} />;
  }
  if (!session.open && session.mail === null) {
    const next = isSignIn ? query.get('next') : path + location.search;
    return <SignIn session={session} next={next ?? BASE} />;
  }
  return <Shell session={session} appId={isSignIn ? null : appId} />;
}

/** The page for people who are not signed in. @param next the path to open after the sign-in. */
function SignIn({ session, next }: { session: DashboardSession; next: string }): ReactElement {
  const enter = (signedIn: DashboardSession) => {
    setSession(signedIn);
    go(isOwnPath(next) ? next : BASE, true);
  };
  return (
    <Alone title={`Sign in to ${session.service_name}`} service={session.service_name}>
      <SignInMethodList session={session} next={next} onSignedIn={enter} />
      <p className="muted">
        {session.sign_in.sign_up === 'open'
          ? 'You have no account yet? Your first sign-in creates one.'
          : 'New people need an invitation from a member of the account.'}
      </p>
    </Alone>
  );
}
