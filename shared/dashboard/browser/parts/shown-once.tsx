import type { ReactElement } from 'react';
import { CopyText } from './copy-text.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a secret that no other response contains. @param what the name of the secret for screen readers. */
export function ShownOnce(input: {
  title: string;
  text: string;
  what: string;
  onClose: () => void;
}): ReactElement {
  const { title, text, what, onClose } = input;
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
