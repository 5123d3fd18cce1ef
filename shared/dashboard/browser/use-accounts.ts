import { useEffect, useState } from 'react';
import type { AccountView, DashboardSession } from '../responses.ts';
import { ask } from './ask.ts';
import { useRevision } from './revision.ts';
import { RequestError } from './send.ts';

export interface KnownAccounts {
  /** Null until the first reading. */
  accounts: AccountView[] | null;
  error: RequestError | null;
}

/** Reads all accounts of the session, with their apps. */
export function useAccounts({ accounts: listed }: DashboardSession): KnownAccounts {
  const [known, setKnown] = useState<KnownAccounts>({ accounts: null, error: null });
  const revision = useRevision();
  const ids = listed.map(({ id }) => id).join(' ');

  // biome-ignore lint/correctness/useExhaustiveDependencies: a revision is a reason to read again
  useEffect(() => {
    const aborter = new AbortController();
    const read = (id: string) =>
      ask<AccountView>(`GET /accounts/${encodeURIComponent(id)}`, undefined, aborter.signal);
    Promise.all(ids.split(' ').filter(Boolean).map(read)).then(
      (accounts) => setKnown({ accounts, error: null }),
      (thrown) => {
        if (aborter.signal.aborted || !(thrown instanceof RequestError)) return;
        setKnown((before) => ({ ...before, error: thrown }));
      },
    );
    return () => aborter.abort();
  }, [ids, revision]);
  return known;
}
