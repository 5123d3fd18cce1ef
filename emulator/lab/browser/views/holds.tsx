import { type ReactElement, useState } from 'react';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { LineForm, TextField } from '../../../../shared/dashboard/browser/parts/fields.tsx';
import { askEmulator, useEmulatorResource } from '../ask.ts';

interface Hold {
  hostname: string;
  reason: string | null;
}

/** Lists the hostnames held for review. */
export function Holds(): ReactElement {
  const { value } = useEmulatorResource<{ data: Hold[] }>('/holds');
  const [hostname, setHostname] = useState('');

  async function hold(): Promise<string> {
    await askEmulator('POST /holds', { hostname });
    setHostname('');
    return `${hostname} is held.`;
  }

  return (
    <Section title="Holds">
      <LineForm submit="Hold" work={hold}>
        <TextField
          label="Hostname, or *.name for all names below it"
          value={hostname}
          required
          placeholder="*.acme.com"
          onText={setHostname}
        />
      </LineForm>
      {value?.data.length === 0 ? <p className="muted">No holds</p> : null}
      <ul className="plain">
        {value?.data.map((held) => (
          <li className="row-link" key={held.hostname}>
            <span className="row-main">{held.hostname}</span>
            <span className="muted">{held.reason ?? ''}</span>
            <CommandButton work={() => release(held.hostname)}>
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
