import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { fullTime, relativeTime, useNow } from '../../../../shared/dashboard/browser/times.tsx';
import { advance, MODE_NAMES } from '../clock-moves.ts';
import { type Live, useLive } from '../live.ts';
import { ClockPanel } from './clock-panel.tsx';

/** The emulator's clock in the bar of every view, with buttons for its two most common moves. */
export function ClockBar(): ReactElement {
  const { clock, connection, nextDueAt } = useLive();
  const [opened, setOpened] = useState(false);
  const now = useNow();
  const dueAt = nextDueAt === null ? null : Date.parse(nextDueAt);
  const [date, time] = now === null ? ['', '…'] : fullTime(now).split(', ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form
    <div className="clock" role="group" aria-label="The emulator's clock">
      <span className={`connection ${connection}`} role="status">
        {CONNECTION_WORDS[connection]}
      </span>
      <button type="button" data-clock="" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <time>
          <span className="long">{date} </span>
          {time?.replace(' UTC', '')}
        </time>
        <small className="long">
          UTC ·{' '}
          {clock?.moving === undefined
            ? clock && MODE_NAMES[clock.mode]
            : `moving, ${clock.moving.steps} steps`}
          {now === null || dueAt === null || dueAt <= now ? null : `, next ${relativeTime(dueAt, now)}`}
        </small>
        <Icon name="down" />
      </button>
      <CommandButton
        data-next=""
        aria-label="Next"
        title="Move to the next due work"
        work={() => advance({ until: 'next' })}
      >
        <Icon name="next" />
        <span className="long">Next</span>
      </CommandButton>
      <CommandButton
        className="long"
        data-idle=""
        title="Run until no test domain step and no delivery is due"
        work={() => advance({ until: 'idle' })}
      >
        <Icon name="fast" /> Until idle
      </CommandButton>
      {opened ? <ClockPanel onClose={() => setOpened(false)} /> : null}
    </div>
  );
}

/** The words are visible only if the emulator is not reachable. Otherwise, a dot shows the connection. */
const CONNECTION_WORDS: Record<Live['connection'], string> = {
  connecting: 'Connecting to the emulator',
  live: 'Emulator connected',
  lost: 'Emulator not reachable',
};
