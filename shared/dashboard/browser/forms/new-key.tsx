import { type ReactElement, useState } from 'react';
import { MODES, type Mode } from '../../../core/domains/status.ts';
import type { CreatedApiKey } from '../../../schema/api-key.ts';
import { ask } from '../ask.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Choice, TextField } from '../parts/fields.tsx';
import { Link } from '../parts/link.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { appPath, useScope, useViewPath } from '../scope.ts';

const REFUSALS = {
  card_required: 'A live key needs a card on file during the trial.',
  live_keys_need_plan: 'A live key needs a plan, and the account is on Free.',
};

/** Creates a key and shows it once. */
export function NewKey(): ReactElement {
  const scope = useScope();
  const viewPath = useViewPath();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<Mode>(scope.mode);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const refusal = mode === 'live' ? scope.account.live_mode_refusal : null;

  async function create(): Promise<string> {
    const body = { name: name.trim(), mode };
    setCreated(await ask<CreatedApiKey>(`POST ${appPath(scope, '/keys')}`, body));
    return `Created ${name.trim()}.`;
  }

  return (
    <>
      <DialogForm
        word="New key…"
        opener={{ className: 'btn lead' }}
        title="New key"
        submit="Create"
        work={create}
        onClose={() => setName('')}
      >
        <TextField
          label="Name"
          data-first=""
          required
          maxLength={80}
          placeholder="production server"
          value={name}
          onText={setName}
        />
        <Choice
          label="Mode"
          value={mode}
          options={MODES.toReversed()}
          onText={(chosen) => setMode(MODES.find((each) => each === chosen) ?? 'test')}
        />
        {refusal === null ? null : (
          <p className="verdict wait">
            {REFUSALS[refusal]} <Link href={viewPath('plan')}>See your plan</Link>
          </p>
        )}
      </DialogForm>
      {created === null ? null : (
        <ShownOnce
          title={`Key ${created.name}`}
          text={created.key}
          what={`the ${created.mode} key`}
          onClose={() => setCreated(null)}
        />
      )}
    </>
  );
}
