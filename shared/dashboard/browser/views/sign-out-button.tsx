import type { ReactElement } from 'react';
import { ask } from '../ask.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { go } from '../router.ts';
import { loadSession } from '../session.ts';

export function SignOutButton(): ReactElement {
  return <CommandButton work={signOut}>Sign out</CommandButton>;
}

async function signOut(): Promise<string> {
  await ask('DELETE /session');
  go('/dashboard/sign-in');
  await loadSession();
  return 'Signed out.';
}
