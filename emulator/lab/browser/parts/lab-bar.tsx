import { type ReactElement, useState } from 'react';
import { Dialog } from '../../../../shared/dashboard/browser/parts/dialog.tsx';
import { type Live, useLive } from '../live.ts';
import { SHORTCUTS, useShortcuts, useShortcutsEnabled } from '../shortcuts.ts';
import { ClockBar } from './clock-bar.tsx';

/**
 * Shows on every view whether the emulator responds, the emulator's clock, and a button for the help. Also handles the keyboard shortcuts.
 */
export function LabBar(): ReactElement {
  const [helping, setHelping] = useState(false);
  useShortcuts();
  return (
    <section className="lab-bar" aria-label="Lab">
      <Connection />
      <ClockBar />
      <button
        type="button"
        className="icon"
        data-help=""
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => setHelping(true)}
      >
        ?
      </button>
      {helping ? <HelpDialog onClose={() => setHelping(false)} /> : null}
    </section>
  );
}

const CONNECTION_WORDS: Record<Live['connection'], string> = {
  connecting: 'Connecting to the emulator',
  live: 'Emulator connected',
  lost: 'Emulator not reachable',
};

function Connection(): ReactElement {
  const { connection } = useLive();
  return (
    <span className={`connection ${connection}`} role="status">
      {CONNECTION_WORDS[connection]}
    </span>
  );
}

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
