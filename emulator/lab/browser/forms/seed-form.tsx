import { type ReactElement, useState } from 'react';
import { DialogForm } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { askEmulator } from '../ask.ts';

/** A form that applies a seed, typed or from a file, like `emulator seed`. */
export function SeedForm(): ReactElement {
  const [text, setText] = useState('');
  const [name, setName] = useState(TYPED);

  async function apply(): Promise<string> {
    const { apps } = await askEmulator<{ apps: unknown[] }>('POST /seed/text', { text, name });
    return apps.length === 0
      ? 'Seed applied.'
      : `Seed applied, with ${apps.length} more ${apps.length === 1 ? 'app' : 'apps'}.`;
  }

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    setText(await file.text());
    setName(file.name);
  }

  return (
    <DialogForm word="Apply a seed…" title="Apply a seed" submit="Apply" work={apply}>
      <label>
        Seed (YAML or JSON)
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
        Creates or changes everything that the seed lists, or nothing if there is a mistake. The rest stays.
      </p>
    </DialogForm>
  );
}

/** File name used in error messages about a typed seed. */
const TYPED = 'seed.yaml';

const EXAMPLE = `domains:
  - hostname: careers.acme.com
    status: active
  - hostname: broken.acme.com
    status: dns_broken`;
