import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { type Addition, AdditionContext } from './addition.ts';
import { BASE, SIGN_IN, usePlace } from './navigation.ts';
import { NoticeList } from './notices.tsx';
import { cache } from './reading.ts';
import { useAddress } from './router.ts';
import { useSession } from './session.ts';
import { Shell } from './shell.tsx';
import { Alone } from './sign-in/alone.tsx';
import { ConfirmDialog } from './sign-in/confirm-dialog.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { UseLink } from './sign-in/use-link.tsx';

/** Draws the sign-in page or the dashboard, depending on the session. @param addition of the emulator; null in the service. */
export function Root({ addition }: { addition: Addition | null }): ReactElement {
  return (
    <QueryClientProvider client={cache}>
      <AdditionContext value={addition}>
        <Content />
        <ConfirmDialog />
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
  if (session.open) return <Shell session={session} appId={isSignIn ? null : appId} />;
  if (isSignIn && location.hash.length > 1) {
    return (
      <>
        <UseLink session={session} token={location.hash.slice(1)} />
        <NoticeList />
      </>
    );
  }
  if (session.mail === null) {
    const next = isSignIn ? query.get('next') : path + location.search;
    return <SignIn session={session} next={next ?? BASE} />;
  }
  return <Shell session={session} appId={isSignIn ? null : appId} />;
}
