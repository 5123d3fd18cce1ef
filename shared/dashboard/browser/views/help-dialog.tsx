import type { ReactElement } from 'react';
import { useAddition } from '../addition.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SHORTCUTS, useShortcutsEnabled } from '../shortcuts.ts';

export function HelpDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [enabled, setEnabled] = useShortcutsEnabled();
  const shortcuts = [...SHORTCUTS, ...(useAddition()?.shortcuts ?? [])];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === '…' ? ' … ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
        Enable single-key shortcuts
      </label>
    </Dialog>
  );
}
