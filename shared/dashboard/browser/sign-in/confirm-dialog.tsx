import { type ReactElement, useEffect } from 'react';
import { useWaitingAct, type WaitingAct } from '../confirm-identity.ts';
import { Dialog } from '../parts/dialog.tsx';
import { loadSession, setSession, useSession } from '../session.ts';
import { SignInMethodList } from './methods.tsx';

const POLL_MS = 2000;

/** Asks the person to sign in again before a sensitive action. The action continues once the person has signed in, even in another tab. */
export function ConfirmDialog(): ReactElement | null {
  const act = useWaitingAct();
  return act === null ? null : <Waiting act={act} />;
}

function Waiting({ act }: { act: WaitingAct }): ReactElement | null {
  const { session } = useSession();
  const isRecent = session?.is_recent ?? false;
  useEffect(() => {
    const timer = setInterval(() => void loadSession(), POLL_MS);
    void loadSession();
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (isRecent) act.confirmed();
  }, [isRecent, act]);
  if (session === null) return null;
  return (
    <Dialog title="Confirm it is you" onClose={act.cancel}>
      <div className="form">
        <p>This needs a sign-in of the last ten minutes. It continues as soon as you have signed in.</p>
        <SignInMethodList
          session={session}
          mail={session.mail}
          next={location.pathname + location.search}
          onSignedIn={setSession}
        />
      </div>
    </Dialog>
  );
}
