import { useQuery } from '@tanstack/react-query';
import type { DashboardSession } from '../responses.ts';
import { setPageClock } from './page-clock.ts';
import { cache } from './reading.ts';
import { DASHBOARD_SERVER, type RequestError, send } from './send.ts';

export interface KnownSession {
  /** The session; null until the server has responded. */
  session: DashboardSession | null;
  error: RequestError | null;
}

const KEY = ['session'];

export function useSession(): KnownSession {
  const { data: session = null, error } = useQuery({
    queryKey: KEY,
    queryFn: async () => heard(await send<DashboardSession>(DASHBOARD_SERVER, 'GET /session', {})),
  });
  // If the server does not respond, the page keeps the session that it has.
  return { session, error: session === null ? error : null };
}

export function setSession(session: DashboardSession): void {
  // Ignores a response to a request from before the sign-in, which must not undo the sign-in.
  void cache.cancelQueries({ queryKey: KEY });
  cache.setQueryData(KEY, heard(session));
}

/** Requests the session again, unless a request is running. */
export async function loadSession(): Promise<void> {
  await cache.refetchQueries({ queryKey: KEY }, { cancelRefetch: false });
}

function heard(session: DashboardSession): DashboardSession {
  // The emulator's stream reports its clock, which can stand still.
  if (!session.open) setPageClock(Date.parse(session.now), true);
  return session;
}

/** Records that the sign-in is older than ten minutes, because the server has just said so. */
export function noteOldSignIn(): void {
  cache.setQueryData<DashboardSession>(KEY, (session) => session && { ...session, is_recent: false });
}

/** Shows the sign-in page, because the session has ended. */
export function forgetSession(): void {
  cache.setQueryData<DashboardSession>(KEY, (session) => session && { ...session, mail: null, accounts: [] });
}
