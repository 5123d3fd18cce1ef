import { type ReactElement, useState } from 'react';
import type { AccountView, CreatedApp } from '../../responses.ts';
import { ask } from '../ask.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { TextField } from '../parts/fields.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';

/** Adds an app to an account, and shows its first test key. */
export function NewAppForm({ account }: { account: AccountView }): ReactElement {
  const [name, setName] = useState('');
  const [created, setCreated] = useState<CreatedApp | null>(null);

  async function create(): Promise<string> {
    const path = `/accounts/${encodeURIComponent(account.id)}/apps`;
    setCreated(await ask<CreatedApp>(`POST ${path}`, { name: name.trim() }));
    return `Created ${name.trim()}.`;
  }

  return (
    <>
      <DialogForm
        word="New app…"
        title={`New app of ${account.name}`}
        submit="Create"
        work={create}
        onClose={() => setName('')}
      >
        <TextField label="Name" data-first="" required maxLength={80} value={name} onText={setName} />
      </DialogForm>
      {created === null ? null : (
        <ShownOnce
          title={`Test key of ${created.app.name}`}
          text={created.test_key}
          what="the test key"
          onClose={() => setCreated(null)}
        />
      )}
    </>
  );
}
