import { type FormEvent, type ReactElement, useState } from 'react';
import { CommandButton, useCommand } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { askEmulator, useEmulatorResource } from '../ask.ts';

interface Hold {
  hostname: string;
  reason: string | null;
}

/** Lists the hostnames held for review. */
export function Holds(): ReactElement {
  const { value } = useEmulatorResource<{ data: Hold[] }>('/holds');
  const [hostname, setHostname] = useState('');
  const [busy, run] = useCommand();

  function hold(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      await askEmulator('POST /holds', { hostname });
      setHostname('');
      return `${hostname} is held.`;
    });
  }

  return (
    <Section title="Holds">
      <form className="line-form" onSubmit={hold}>
        <label>
          Hostname, or *.name for all names below it
          <input
            value={hostname}
            required
            spellCheck={false}
            autoComplete="off"
            placeholder="*.acme.com"
            onChange={(event) => setHostname(event.target.value)}
          />
        </label>
        <button type="submit" aria-disabled={busy || undefined}>
          Hold
        </button>
      </form>
      {value?.data.length === 0 ? <p className="muted">No holds</p> : null}
      <ul className="plain">
        {value?.data.map((held) => (
          <li className="row-link" key={held.hostname}>
            <span className="row-main">{held.hostname}</span>
            <span className="muted">{held.reason ?? ''}</span>
            <CommandButton className="small-button" work={() => release(held.hostname)}>
              Release<span className="hidden"> {held.hostname}</span>
            </CommandButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}

async function release(hostname: string): Promise<string> {
  await askEmulator(`DELETE /holds/${encodeURIComponent(hostname)}`);
  return `${hostname} is released.`;
}
