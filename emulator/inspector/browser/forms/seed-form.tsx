import { type ReactElement, useState } from 'react';
import { ask } from '../ask.ts';
import { DialogForm } from './dialog-form.tsx';

/** Brings about what a seed names, typed or from a file, as `emulator seed` does. */
export function SeedForm(): ReactElement {
  const [text, setText] = useState('');
  const [name, setName] = useState(TYPED);

  async function apply(): Promise<string> {
    const { apps } = await ask<{ apps: unknown[] }>('POST /seed/text', { text, name });
    return apps.length === 0
      ? 'The seed is applied.'
      : `The seed is applied, with ${apps.length} other apps.`;
  }

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    setText(await file.text());
    setName(file.name);
  }

  return (
    <DialogForm word="Apply a seed" title="Apply a seed" submit="Apply" work={apply}>
      <label>
        Seed, YAML or JSON
        <textarea
          data-first=""
          rows={10}
          required
          spellCheck={false}
          placeholder={EXAMPLE}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setName(TYPED);
          }}
        />
      </label>
      <label>
        From a file
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </label>
      <p className="muted">
        What it names is made to be so, all of it or nothing. What it does not name stays.
      </p>
    </DialogForm>
  );
}

/** The lines of what is wrong are told under this name. */
const TYPED = 'seed.yaml';

const EXAMPLE = `domains:
  - hostname: careers.acme.com
    status: active
  - hostname: broken.acme.com
    status: dns_broken`;
