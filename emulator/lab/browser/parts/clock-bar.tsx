import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { fullTime, shortTime, useNow } from '../../../../shared/dashboard/browser/times.tsx';
import { advance } from '../clock-moves.ts';
import { useLive } from '../live.ts';
import { ClockPanel } from './clock-panel.tsx';

/** Shows the emulator's time on every view, with buttons for the two most common moves of the clock. */
export function ClockBar(): ReactElement {
  const { clock } = useLive();
  const [opened, setOpened] = useState(false);
  const now = useNow();
  return (
    <div className="clock-bar">
      <button
        type="button"
        className="clock"
        data-clock=""
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <Icon name="clock" />
        <span className="clock-time">{now === null ? '…' : fullTime(now)}</span>
        <span className="clock-short">{now === null ? '…' : shortTime(now)}</span>
        <span className="muted">
          <span className="hidden">, the clock is </span>
          {clock?.moving === undefined ? clock?.mode : `moving, ${clock.moving.steps} steps`}
        </span>
      </button>
      <CommandButton
        className="small-button"
        data-next=""
        title="Move to the next due work"
        work={() => advance({ until: 'next' })}
      >
        <Icon name="next" /> Next
      </CommandButton>
      <CommandButton
        className="small-button roomy"
        data-idle=""
        title="Run until no test domain step and no delivery is due"
        work={() => advance({ until: 'idle' })}
      >
        Run until idle
      </CommandButton>
      {opened ? <ClockPanel onClose={() => setOpened(false)} /> : null}
    </div>
  );
}
