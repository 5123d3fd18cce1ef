import { type ReactElement, useState } from 'react';
import { ask, Refusal } from '../ask.ts';
import { DialogForm } from './dialog-form.tsx';

/** Replaces the whole state by one that was exported. */
export function ImportForm(): ReactElement {
  const [file, setFile] = useState<File | null>(null);

  async function replace(): Promise<string> {
    await ask('POST /import', await readState(file));
    return `Everything is as ${file?.name} has it.`;
  }

  return (
    <DialogForm word="Import" title="Import a state" submit="Import" danger work={replace}>
      <label>
        An exported state
        <input
          type="file"
          data-first=""
          required
          accept=".json"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
      </label>
      <p className="muted">
        It takes the place of everything that is here: domains, events, keys, the clock. Export first what you
        want to keep.
      </p>
    </DialogForm>
  );
}

async function readState(file: File | null): Promise<object> {
  try {
    const state: unknown = JSON.parse((await file?.text()) ?? '');
    if (typeof state === 'object' && state !== null) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refusal(0, 'no_json', 'This file is no JSON document.', 'Choose one that Export made.');
}
