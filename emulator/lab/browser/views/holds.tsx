import type { ReactElement } from 'react';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { CommandButton, CommandForm, TextField } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { askEmulator, useEmulatorResource } from '../ask.ts';

interface Hold {
  hostname: string;
  reason: string | null;
}

/** Lists the hostnames held for review. */
export function Holds(): ReactElement {
  const { value } = useEmulatorResource<{ data: Hold[] }>('/holds');
  return (
    <Section title="Holds">
      <CommandForm
        submit="Hold"
        work={async ({ hostname }) => {
          await askEmulator('POST /holds', { hostname });
          return `${hostname} is held.`;
        }}
      >
        <TextField
          label="Hostname, or *.name for all names below it"
          name="hostname"
          required
          placeholder="*.acme.com"
        />
      </CommandForm>
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
