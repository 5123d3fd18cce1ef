import { type FormEvent, type ReactElement, useState } from 'react';
import type { SignatureVerdict } from '../../answers.ts';
import { ask } from '../ask.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { useDeed } from '../parts/deed.tsx';
import { Section } from '../parts/facts.tsx';
import { Pill } from '../parts/pill.tsx';

/** Whether a receiver accepts a signature of this event's body, and if not why: of one that it got, or of one made now. */
export function SignatureCheck({ path }: { path: string }): ReactElement {
  const [header, setHeader] = useState('');
  const [verdict, setVerdict] = useState<SignatureVerdict | null>(null);
  const [busy, run] = useDeed();

  function check(event: FormEvent): void {
    event.preventDefault();
    const given = header.trim();
    void run(async () => {
      const body = given === '' ? {} : { header: given };
      const answered = await ask<SignatureVerdict>(`POST ${path}/signature`, body);
      setVerdict(answered);
      return answered.accepted ? 'The signature is accepted.' : 'The signature is refused.';
    });
  }

  return (
    <Section title="Signature">
      <form className="line-form" onSubmit={check}>
        <label>
          The signature header that your receiver got
          <input
            value={header}
            spellCheck={false}
            autoComplete="off"
            placeholder="t=…,v1=… or nothing, to sign it now"
            onChange={(event) => setHeader(event.target.value)}
          />
        </label>
        <button type="submit" aria-disabled={busy || undefined}>
          Check
        </button>
      </form>
      {verdict === null ? null : (
        <div className={`verdict ${verdict.accepted ? 'good' : 'bad'}`}>
          <p>
            <Pill tone={verdict.accepted ? 'good' : 'bad'}>{verdict.accepted ? 'accepted' : 'refused'}</Pill>{' '}
            {verdict.message}
          </p>
          <p className="muted">{verdict.header}</p>
          <CopyText text={verdict.value} what="the signature" />
        </div>
      )}
    </Section>
  );
}
