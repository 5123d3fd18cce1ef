import type { ReactElement } from 'react';
import { Dialog } from '../../../../shared/dashboard/browser/parts/dialog.tsx';
import { SHORTCUTS, useShortcutsEnabled } from '../shortcuts.ts';

export function HelpDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [enabled, setEnabled] = useShortcutsEnabled();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {SHORTCUTS.map(([keys, what]) => (
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
