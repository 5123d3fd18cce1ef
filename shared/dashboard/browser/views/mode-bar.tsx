import type { ReactElement } from 'react';
import { MODES } from '../../../core/domains/status.ts';
import { type DashboardView, pathTo } from '../navigation.ts';
import { Link } from '../parts/link.tsx';
import { useScope } from '../scope.ts';

const WORDS = {
  live: 'Changes affect the domains of your customers.',
  test: 'Nothing here reaches real visitors.',
  emulator: 'As in live mode of the service. Nothing here reaches real visitors.',
};

/** Shows and switches the mode of the page. Live mode has its own colour across the whole page. */
export function ModeBar({ view }: { view: DashboardView }): ReactElement {
  const { app, mode, session } = useScope();
  return (
    <section className={`mode-bar ${mode}`} aria-label="Mode">
      <p>
        <strong>{mode === 'live' ? 'LIVE MODE' : 'TEST MODE'}</strong>{' '}
        <span className="mode-words">{WORDS[session.open && mode === 'live' ? 'emulator' : mode]}</span>
      </p>
      <ul className="mode-switch">
        {MODES.toReversed().map((each) => (
          <li key={each}>
            <Link
              href={pathTo({ appId: app.id, mode: each }, view)}
              aria-current={each === mode ? 'true' : undefined}
            >
              {each === 'live' ? 'Live' : 'Test'}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
