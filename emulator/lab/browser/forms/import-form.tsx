import { type ReactElement, useState } from 'react';
import { DialogForm } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { RequestError } from '../../../../shared/dashboard/browser/send.ts';
import { askEmulator } from '../ask.ts';

/** A form that replaces the emulator's whole state with an exported state. */
export function ImportForm(): ReactElement {
  const [file, setFile] = useState<File | null>(null);

  async function replace(): Promise<string> {
    await askEmulator('POST /import', await readState(file));
    return `Imported ${file?.name}.`;
  }

  return (
    <DialogForm word="Import…" title="Import a state" submit="Import" danger work={replace}>
      <label>
        Exported state
        <input
          type="file"
          data-first=""
          required
          accept=".json"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
      </label>
      <p className="muted">
        This replaces everything in the emulator: domains, events, keys and the clock. Export your current
        state first if you want to keep it.
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
  throw new RequestError(
    0,
    'no_json',
    'This file is not a JSON document.',
    'Choose a file that Export created.',
  );
}
