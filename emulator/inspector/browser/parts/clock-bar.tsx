import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { advance } from '../clock-moves.ts';
import { useLive } from '../live.ts';
import { fullTime, shortTime, useNow } from '../times.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { DeedButton } from './deed.tsx';

/** The emulator's time, always in sight, and the two moves that are made most. */
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
      <DeedButton
        className="small-button"
        data-next=""
        title="To what is due next"
        work={() => advance({ until: 'next' })}
      >
        <Icon name="next" /> Next
      </DeedButton>
      <DeedButton
        className="small-button roomy"
        data-idle=""
        title="Until nothing of a test domain and no delivery is due"
        work={() => advance({ until: 'idle' })}
      >
        Idle
      </DeedButton>
      {opened ? <ClockPanel onClose={() => setOpened(false)} /> : null}
    </div>
  );
}
