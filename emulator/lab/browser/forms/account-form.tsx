import { type ReactElement, useState } from 'react';
import { PLAN_NAMES } from '../../../../shared/core/accounts/plan.ts';
import { DialogForm } from '../../../../shared/dashboard/browser/parts/dialog-form.tsx';
import { Choice, TextField } from '../../../../shared/dashboard/browser/parts/fields.tsx';
import type { InspectedApp } from '../../responses.ts';
import { askEmulator } from '../ask.ts';

type Account = InspectedApp['account'];

const SWITCHES = [
  ['card_on_file', 'card on file'],
  ['promotional', 'promotional'],
  ['suspended', 'suspended'],
] as const;

/** A form for the account of the default app. In the hosted service, only billing and the operator can change these fields. */
export function AccountForm({ of }: { of: Account }): ReactElement {
  const [draft, setDraft] = useState<Partial<Account>>({});
  const shown = { ...of, ...draft };

  async function change(): Promise<string> {
    await askEmulator('PATCH /account', draft);
    return 'Account changed.';
  }

  const time = (name: 'trial_ends_at' | 'created_at', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      step={1}
      required={name === 'created_at'}
      value={localTime(shown[name])}
      onText={(text) => setDraft({ ...draft, [name]: text === '' ? null : new Date(text).toISOString() })}
    />
  );

  return (
    <DialogForm
      word="Account…"
      title="Account of the default app"
      submit="Save"
      work={change}
      onClose={() => setDraft({})}
    >
      <Choice
        label="Plan"
        data-first=""
        value={shown.plan}
        options={PLAN_NAMES}
        onText={(plan) => setDraft({ ...draft, plan })}
      />
      {time('trial_ends_at', 'Trial ends (empty for none)')}
      {time('created_at', 'Created')}
      <fieldset>
        <legend>State</legend>
        {SWITCHES.map(([name, words]) => (
          <label className="switch" key={name}>
            <input
              type="checkbox"
              checked={shown[name]}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.checked })}
            />
            {words}
          </label>
        ))}
      </fieldset>
    </DialogForm>
  );
}

/** Formats an instant for a `datetime-local` field: in the reader's time zone, to the second. @param at RFC 3339. */
function localTime(at: string | null): string {
  if (at === null) return '';
  const instant = new Date(at);
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
