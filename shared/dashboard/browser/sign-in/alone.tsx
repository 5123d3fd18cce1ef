import type { ReactElement, ReactNode } from 'react';
import { ask } from '../ask.ts';
import { NoticeList } from '../notices.tsx';
import { CommandButton } from '../parts/forms.tsx';
import { LogoMark } from '../parts/logo-mark.tsx';
import { go } from '../router.ts';
import { loadSession } from '../session.ts';

/** The names on the picture beside the page, and whether visitors reach them. */
const NAMES = [
  ['careers.acme.com', 'good'],
  ['shop.globex.com', 'good'],
  ['docs.initech.com', 'good'],
  ['help.umbrella.org', 'bad'],
  ['status.hooli.com', 'good'],
  ['bluthcompany.com', 'good'],
] as const;

/** A page without navigation, beside a picture of names at a door. @param input.service the name of the service, once it is known. */
export function Alone(input: {
  title: string;
  service?: string | undefined;
  children: ReactNode;
}): ReactElement {
  const { title, service, children } = input;
  return (
    <div className="enter">
      <div className="doors" aria-hidden="true">
        <div className="bells">
          {NAMES.map(([name, tone]) => (
            <div key={name} className={tone}>
              <span className="plate">
                <span>{name}</span>
              </span>
              <i />
            </div>
          ))}
        </div>
      </div>
      <main className="sign" id="main">
        {service === undefined ? null : (
          <p className="brand">
            <LogoMark /> {service}
          </p>
        )}
        <h1>{title}</h1>
        {children}
      </main>
      <NoticeList />
    </div>
  );
}

export function SignOutButton(): ReactElement {
  return <CommandButton work={signOut}>Sign out</CommandButton>;
}

async function signOut(): Promise<string> {
  await ask('DELETE /session');
  go('/dashboard/sign-in');
  await loadSession();
  return 'Signed out.';
}
