import { type FormEvent, type ReactElement, useState } from 'react';
import type { CreatedAccountView, DashboardSession } from '../../responses.ts';
import { ask } from '../ask.ts';
import { NEW_ACCOUNT, pathTo } from '../navigation.ts';
import { NoticeList } from '../notices.tsx';
import { useCommand } from '../parts/command-button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { go } from '../router.ts';
import { loadSession } from '../session.ts';
import { Alone, SignOutButton } from '../sign-in/alone.tsx';

/** The first page that a person without an account sees. It creates the account together with its first app. */
export function NewAccountView({ session }: { session: DashboardSession }): ReactElement {
  const [name, setName] = useState('');
  const [created, setCreated] = useState<CreatedAccountView | null>(null);
  const [busy, run] = useCommand();

  function create(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      // Once the session contains the account, only this path still shows the page with the first keys.
      go(NEW_ACCOUNT, true);
      setCreated(await ask<CreatedAccountView>('POST /accounts', { name: name.trim() }));
      return `Created ${name.trim()}.`;
    });
  }

  async function enter(): Promise<void> {
    const app = created?.apps[0];
    await loadSession();
    if (app !== undefined) go(pathTo({ appId: app.id, mode: 'test' }, 'home'));
  }

  const mayCreate = session.sign_in.sign_up === 'open';
  return (
    <>
      <Alone title={mayCreate ? 'Create your account' : 'No account yet'} service={session.service_name}>
        {mayCreate ? (
          <form className="form" onSubmit={create}>
            <TextField
              label="Name of your company or product"
              required
              maxLength={80}
              value={name}
              onText={setName}
            />
            <p className="muted">You get a first app of this name, and keys to test with.</p>
            <button type="submit" className="btn lead" aria-disabled={busy || undefined}>
              Create
            </button>
          </form>
        ) : (
          <p>
            {session.mail} is not a member of an account. Ask an owner of the account to invite this address.
          </p>
        )}
        <p>
          <SignOutButton />
        </p>
      </Alone>
      {created === null ? null : (
        <ShownOnce
          title="Your first test key"
          text={created.test_key}
          what="the test key"
          onClose={() => void enter()}
        />
      )}
      <NoticeList />
    </>
  );
}
