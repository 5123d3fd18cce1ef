import type { ReactElement } from 'react';
import { PLAN_NAMES } from '../../../../shared/core/accounts/plan.ts';
import { Choice, DialogForm, TextField } from '../../../../shared/dashboard/browser/parts/forms.tsx';
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
  const time = (name: 'trial_ends_at' | 'created_at', label: string) => (
    <TextField
      label={label}
      name={name}
      type="datetime-local"
      step={1}
      required={name === 'created_at'}
      defaultValue={localTime(of[name])}
    />
  );

  return (
    <DialogForm
      word="Account…"
      title="Account of the default app"
      submit="Save"
      work={async (fields) => {
        // An unchanged time is left out, because the field has no milliseconds.
        const times = (['trial_ends_at', 'created_at'] as const).flatMap((name) => {
          const text = fields[name] ?? '';
          if (text === localTime(of[name])) return [];
          return [[name, text === '' ? null : new Date(text).toISOString()] as const];
        });
        const switches = SWITCHES.map(([name]) => [name, name in fields] as const);
        await askEmulator('PATCH /account', {
          plan: fields['plan'],
          ...Object.fromEntries([...times, ...switches]),
        });
        return 'Account changed.';
      }}
    >
      <Choice label="Plan" name="plan" data-first="" defaultValue={of.plan} options={PLAN_NAMES} />
      {time('trial_ends_at', 'Trial ends (empty for none)')}
      {time('created_at', 'Created')}
      <fieldset>
        <legend>State</legend>
        {SWITCHES.map(([name, words]) => (
          <label className="switch" key={name}>
            <input type="checkbox" name={name} defaultChecked={of[name]} />
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
