import { type ReactElement, useState } from 'react';
import { MODES } from '../../../core/domains/status.ts';
import type { CreatedApiKey } from '../../../schema/api-key.ts';
import { ask } from '../ask.ts';
import { Choice, DialogForm, type FormFields, TextField } from '../parts/forms.tsx';
import { Link } from '../parts/link.tsx';
import { showOnce } from '../parts/shown-once.tsx';
import { appPath, LIVE_MODE_REFUSALS, useScope, useViewPath } from '../scope.ts';

/** Creates a key and shows it once. */
export function NewKey(): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();
  const [mode, setMode] = useState<string>(scope.mode);
  const refusal = mode === 'live' ? scope.account.live_mode_refusal : null;

  async function create({ name }: FormFields): Promise<string> {
    const { key: text } = await ask<CreatedApiKey>(`POST ${appPath(scope, '/keys')}`, { name, mode });
    void showOnce({ title: `Key ${name}`, text, what: `the ${mode} key` });
    return `Created ${name}.`;
  }

  return (
    <DialogForm
      word="New key…"
      opener={{ className: 'btn lead' }}
      title="New key"
      submit="Create"
      work={create}
    >
      <TextField
        label="Name"
        name="name"
        data-first=""
        required
        maxLength={80}
        placeholder="production server"
      />
      <Choice label="Mode" value={mode} options={MODES.toReversed()} onText={setMode} />
      {refusal === null ? null : (
        <p className="verdict wait">
          {LIVE_MODE_REFUSALS[refusal]} <Link href={viewPath('plan')}>See your plan</Link>
        </p>
      )}
    </DialogForm>
  );
}
