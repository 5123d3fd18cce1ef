import type { ReactElement } from 'react';
import type { AccountView, CreatedApp } from '../../responses.ts';
import { ask } from '../ask.ts';
import { DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { showOnce } from '../parts/shown-once.tsx';

/** Adds an app to an account, and shows its first test key. */
export function NewAppForm({ account }: { account: AccountView }): ReactElement {
  async function create({ name }: FormFields): Promise<string> {
    const path = `/accounts/${encodeURIComponent(account.id)}/apps`;
    const { app, test_key: text } = await ask<CreatedApp>(`POST ${path}`, { name });
    void showOnce({ title: `Test key of ${app.name}`, text, what: 'the test key' });
    return `Created ${name}.`;
  }

  return (
    <DialogForm word="New app…" title={`New app of ${account.name}`} submit="Create" work={create}>
      <TextField label="Name" name="name" data-first="" required maxLength={80} />
    </DialogForm>
  );
}
