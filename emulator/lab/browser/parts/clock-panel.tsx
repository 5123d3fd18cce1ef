import { type ReactElement, useEffect, useState } from 'react';
import { Dialog } from '../../../../shared/dashboard/browser/parts/dialog.tsx';
import {
  CommandButton,
  CommandForm,
  report,
  TextField,
} from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { fullTime, useNow } from '../../../../shared/dashboard/browser/times.tsx';
import { advance, CLOCK_CHOICES, setMode } from '../clock-moves.ts';
import { useLive } from '../live.ts';

const STEPS = ['10s', '1m', '1h', '24h', '72h', '90d'];

/** A clock mode that the user has chosen. The panel shows this mode until the event stream reports it too. */
interface Choice {
  mode: string;
  answered: boolean;
}

/** Shows controls for all operations on the clock. */
export function ClockPanel({ onClose }: { onClose: () => void }): ReactElement {
  const { clock } = useLive();
  const now = useNow();
  const mode = clock?.mode ?? 'real';
  const [chosen, setChosen] = useState<Choice | null>(null);
  useEffect(() => {
    if (chosen?.answered && chosen.mode === mode) setChosen(null);
  }, [chosen, mode]);

  async function choose(choice: string): Promise<void> {
    setChosen({ mode: choice, answered: false });
    const done = await report(() => setMode(choice));
    setChosen((latest) => {
      if (latest?.mode !== choice) return latest;
      return done ? { mode: choice, answered: true } : null;
    });
  }

  return (
    <Dialog title="Clock" onClose={onClose}>
      <p className="clock-large">{now === null ? '…' : fullTime(now)}</p>
      <fieldset className="modes">
        <legend>Mode</legend>
        {CLOCK_CHOICES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="mode"
              checked={each === (chosen?.mode ?? mode)}
              data-first={each === mode ? '' : undefined}
              onChange={() => void choose(each)}
            />
            <span>{each}</span>
          </label>
        ))}
      </fieldset>
      <div className="form">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form */}
        <div className="actions steps" role="group" aria-label="Move the clock forward">
          {STEPS.map((step) => (
            <CommandButton key={step} work={() => advance({ by: step })}>
              +{step}
            </CommandButton>
          ))}
        </div>
        <div className="actions">
          <CommandButton work={() => advance({ until: 'next' })}>To the next due work</CommandButton>
          <CommandButton work={() => advance({ until: 'idle' })}>Run until idle</CommandButton>
        </div>
        <CommandForm submit="Advance" work={({ by = '' }) => advance({ by })}>
          <TextField label="By" name="by" required placeholder="1h30m" />
        </CommandForm>
        <CommandForm submit="Go" work={({ to = '' }) => advance({ to: new Date(to).toISOString() })}>
          <TextField label="To" name="to" type="datetime-local" step={1} required />
        </CommandForm>
        <p className="muted">
          The clock only moves forwards. It runs all work that comes due on the way, in order.
        </p>
      </div>
    </Dialog>
  );
}
