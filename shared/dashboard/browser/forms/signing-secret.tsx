import { type ReactElement, useEffect, useState } from 'react';
import type { RotatedSecret } from '../../../schema/app.ts';
import type { RevealedSecret } from '../../responses.ts';
import { ask } from '../ask.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts, SettingGroup } from '../parts/facts.tsx';
import { CommandButton, DialogForm } from '../parts/forms.tsx';
import { appPath, type PageScope, useCan, useScope } from '../scope.ts';
import { SinceText } from '../times.tsx';

/** A shown secret is hidden again after this time, in case the person leaves the desk. */
const SHOWN_MS = 5 * 60_000;

/** Shows the signing secret on demand, and rotates it. */
export function SigningSecret(): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const [revealed, setRevealed] = useState<RevealedSecret | null>(null);

  useEffect(() => {
    if (revealed === null) return undefined;
    const timer = setTimeout(() => setRevealed(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [revealed]);

  async function reveal(): Promise<string> {
    setRevealed(await readSecret(scope));
    return 'The secret is shown for 5 minutes.';
  }

  async function rotate(): Promise<string> {
    await ask<RotatedSecret>(`POST ${appPath(scope, '/apps/current/signing-secret/rotate')}`, {});
    setRevealed(await readSecret(scope));
    return 'Rotated. The previous secret stays valid for 24 hours.';
  }

  return (
    <SettingGroup
      title="Signing secret"
      text="Your receiver checks each event with this secret. Origins check requests with it too."
    >
      {revealed === null ? (
        <p>
          <code>whsec_••••••••••••••••</code>
        </p>
      ) : (
        <Facts
          of={[
            ['Secret', <CopyText key="now" text={revealed.signing_secret} what="the signing secret" />],
            [
              'Previous',
              revealed.previous_signing_secret && (
                <CopyText text={revealed.previous_signing_secret} what="the previous secret" />
              ),
            ],
            [
              'Overlap ends',
              revealed.previous_valid_until && <SinceText at={revealed.previous_valid_until} />,
            ],
          ]}
        />
      )}
      {mayChange ? (
        <div className="actions">
          {revealed === null ? (
            <CommandButton work={reveal}>Reveal</CommandButton>
          ) : (
            <button type="button" onClick={() => setRevealed(null)}>
              Hide
            </button>
          )}
          <DialogForm word="Rotate…" title="Rotate the signing secret?" submit="Rotate" work={rotate}>
            <p>
              You get a new secret. For 24 hours, each event has a signature of both, so that you can change
              your receiver without a gap.
            </p>
          </DialogForm>
        </div>
      ) : (
        <p className="muted">A developer or an owner can reveal it.</p>
      )}
    </SettingGroup>
  );
}

function readSecret({ app }: PageScope): Promise<RevealedSecret> {
  return ask<RevealedSecret>(`POST /apps/${encodeURIComponent(app.id)}/signing-secret/reveal`, {});
}
