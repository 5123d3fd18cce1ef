import type { ReactElement } from 'react';
import { createSharedValue, useSharedValue } from '../shared-value.ts';
import { CopyText } from './copy-text.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that no other response contains. */
interface Secret {
  title: string;
  text: string;
  /** The name of the secret for screen readers. */
  what: string;
}

const shown = createSharedValue<(Secret & { onClose: () => void }) | null>(null);

/** Shows a secret until the person closes its dialog. */
export function showOnce(secret: Secret): Promise<void> {
  return new Promise((resolve) => {
    const onClose = () => {
      shown.set(null);
      resolve();
    };
    shown.set({ ...secret, onClose });
  });
}

/** The dialog with the secret, if there is one. */
export function ShownOnce(): ReactElement | null {
  const secret = useSharedValue(shown);
  if (secret === null) return null;
  const { title, text, what, onClose } = secret;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        <p>Copy it now. Only a hash is stored, so nobody can show it again.</p>
        <p className="secret">
          <CopyText text={text} what={what} />
        </p>
        <button type="button" className="btn lead" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}
