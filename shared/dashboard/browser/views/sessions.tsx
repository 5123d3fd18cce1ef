import type { ReactElement } from 'react';
import type { PasskeyView, SessionView, ShortList } from '../../responses.ts';
import { ask, useResource } from '../ask.ts';
import { Section } from '../parts/facts.tsx';
import { CommandButton, DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Pill } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { useScope } from '../scope.ts';
import { SignOutButton } from '../sign-in/alone.tsx';
import { addPasskey, hasPasskeys } from '../sign-in/passkey.ts';
import { TimeLabel } from '../times.tsx';

/** Shows where the person is signed in, and their passkeys. The page works for all accounts of the person. */
export function Sessions(): ReactElement {
  const { session } = useScope();
  return (
    <ViewPage
      of="sessions"
      acts={
        <>
          <span className="muted address">{session.mail}</span>
          <SignOutButton />
        </>
      }
    >
      <SignedInBrowsers />
      {session.sign_in.passkey ? <Passkeys /> : null}
    </ViewPage>
  );
}

function SignedInBrowsers(): ReactElement {
  const sessions = useResource<ShortList<SessionView>>('/sessions');
  return (
    <Section title="Signed in">
      <Loaded of={sessions}>
        {({ data }) => (
          <ul className="plain">
            {data.map(({ id, created_at, last_seen_at, user_agent, is_current }) => (
              <li className="row-link" key={id}>
                <span className="row-main">{browserOf(user_agent)}</span>
                <span className="muted">
                  since <TimeLabel at={created_at} />, seen <TimeLabel at={last_seen_at} />
                </span>
                {is_current ? (
                  <Pill tone="good">this browser</Pill>
                ) : (
                  <CommandButton work={() => revoke(id)}>
                    Sign out<span className="hidden"> {browserOf(user_agent)}</span>
                  </CommandButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

async function revoke(id: string): Promise<string> {
  await ask(`DELETE /sessions/${encodeURIComponent(id)}`);
  return 'Signed out there, within 5 seconds.';
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const;

/** Returns a short name such as `Firefox on Windows`. For an unknown browser, returns its user agent. */
function browserOf(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  if (browser === undefined || system === undefined) return userAgent.slice(0, 60) || 'Unknown browser';
  return `${{ Edg: 'Edge', OPR: 'Opera' }[browser as string] ?? browser} on ${system.replace('Mac OS X', 'macOS')}`;
}

function Passkeys(): ReactElement {
  const passkeys = useResource<ShortList<PasskeyView>>('/passkeys');

  async function add({ name = '' }: FormFields): Promise<string> {
    await addPasskey(name);
    return `Added ${name}.`;
  }

  return (
    <Section
      title="Passkeys"
      aside={
        hasPasskeys() ? (
          <DialogForm word="Add…" title="Add a passkey" submit="Create passkey" work={add}>
            <TextField label="Name, such as the device" name="name" data-first="" required maxLength={80} />
          </DialogForm>
        ) : null
      }
    >
      <Loaded of={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">None. A passkey signs you in without a mail.</p>
          ) : (
            <ul className="plain">
              {data.map((passkey) => (
                <li className="row-link" key={passkey.id}>
                  <span className="row-main">{passkey.name}</span>
                  <span className="muted">
                    {passkey.last_used_at === null ? 'never used' : <TimeLabel at={passkey.last_used_at} />}
                  </span>
                  <CommandButton work={() => remove(passkey)}>
                    Remove<span className="hidden"> {passkey.name}</span>
                  </CommandButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

async function remove({ id, name }: PasskeyView): Promise<string> {
  await ask(`DELETE /passkeys/${encodeURIComponent(id)}`);
  return `Removed ${name}.`;
}
