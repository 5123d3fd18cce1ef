import { type ReactElement, useState } from 'react';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import {
  CommandForm,
  type FormFields,
  TextField,
} from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { ShownState } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import type { SignatureVerdict } from '../../responses.ts';
import { askEmulator } from '../ask.ts';

/** Checks a signature of the event's body that the user pastes, or else a signature made now. Shows why a receiver would refuse it. */
export function SignatureCheck({ id }: { id: string }): ReactElement {
  const path = `/events/${encodeURIComponent(id)}`;
  const [verdict, setVerdict] = useState<SignatureVerdict | null>(null);

  async function check({ header }: FormFields): Promise<string> {
    const body = header === '' ? {} : { header };
    const checked = await askEmulator<SignatureVerdict>(`POST ${path}/signature`, body);
    setVerdict(checked);
    return checked.accepted ? 'The signature is accepted.' : 'The signature is refused.';
  }

  return (
    <Section title="Signature">
      <CommandForm submit="Check" work={check}>
        <TextField
          label="Signature header that your receiver got"
          name="header"
          placeholder="t=…,v1=… (leave empty to sign now)"
        />
      </CommandForm>
      {verdict === null ? null : (
        <div className={`verdict ${verdict.accepted ? 'good' : 'bad'}`}>
          <p>
            <ShownState {...(verdict.accepted ? ACCEPTED : REFUSED)} /> {verdict.message}
          </p>
          <p className="muted">{verdict.header}</p>
          <CopyText text={verdict.value} what="the signature" />
        </div>
      )}
    </Section>
  );
}

const ACCEPTED = { words: 'Accepted', tone: 'good', icon: 's-active' } as const;
const REFUSED = { words: 'Refused', tone: 'bad', icon: 's-broken' } as const;
