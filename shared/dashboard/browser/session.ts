import type { DashboardSession } from '../responses.ts';
import { setPageClock } from './page-clock.ts';
import { RequestError, send } from './send.ts';
import { DASHBOARD_SERVER } from './server.ts';
import { createStore, useStore } from './store.ts';

export interface KnownSession {
  /** Null until the server has responded. */
  session: DashboardSession | null;
  error: RequestError | null;
}

const known = createStore<KnownSession>({ session: null, error: null });

export function useSession(): KnownSession {
  return useStore(known);
}

export function setSession(session: DashboardSession): void {
  known.set({ session, error: null });
  // The emulator's stream reports its clock, which can stand still.
  if (!session.open) setPageClock(Date.parse(session.now), true);
}

/** Reads the session again. If the server does not respond, the page keeps the session that it has. */
export async function loadSession(): Promise<void> {
  try {
    setSession(await send<DashboardSession>(DASHBOARD_SERVER, 'GET /session', {}));
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    if (known.get().session === null) known.set({ session: null, error: thrown });
  }
}

/** Notes that the sign-in is older than ten minutes, which the server has just said. */
export function noteOldSignIn(): void {
  const { session } = known.get();
  if (session !== null) known.set({ session: { ...session, is_recent: false }, error: null });
}

/** Shows the sign-in page, because the session has ended. */
export function forgetSession(): void {
  const { session } = known.get();
  if (session !== null && session.mail !== null) setSession({ ...session, mail: null, accounts: [] });
}
