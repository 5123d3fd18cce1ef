import type { ReactElement } from 'react';
import type { CreatedAccountView, DashboardSession } from '../../responses.ts';
import { ask } from '../ask.ts';
import { NEW_ACCOUNT, pathTo } from '../navigation.ts';
import { CommandForm, type FormFields, TextField } from '../parts/forms.tsx';
import { showOnce } from '../parts/shown-once.tsx';
import { go } from '../router.ts';
import { loadSession } from '../session.ts';
import { Alone, SignOutButton } from '../sign-in/alone.tsx';

/** The first page that a person without an account sees. It creates the account together with its first app. */
export function NewAccountView({ session }: { session: DashboardSession }): ReactElement {
  const mayCreate = session.sign_in.sign_up === 'open';
  return (
    <Alone title={mayCreate ? 'Create your account' : 'No account yet'} service={session.service_name}>
      {mayCreate ? (
        <CommandForm look="form" submit="Create" work={create}>
          <TextField label="Name of your company or product" name="name" required maxLength={80} />
          <p className="muted">You get a first app of this name, and keys to test with.</p>
        </CommandForm>
      ) : (
        <p>
          {session.mail} is not a member of an account. Ask an owner of the account to invite this address.
        </p>
      )}
      <p>
        <SignOutButton />
      </p>
    </Alone>
  );
}

async function create({ name }: FormFields): Promise<string> {
  // Once the session contains the account, only this path still shows this page, below the dialog with the first key.
  go(NEW_ACCOUNT, true);
  const { test_key: text, apps } = await ask<CreatedAccountView>('POST /accounts', { name });
  void showOnce({ title: 'Your first test key', text, what: 'the test key' }).then(async () => {
    await loadSession();
    if (apps[0] !== undefined) go(pathTo({ appId: apps[0].id, mode: 'test' }, 'home'));
  });
  return `Created ${name}.`;
}
