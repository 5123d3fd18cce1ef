import type { ReactElement } from 'react';
import { MODES } from '../../../core/domains/status.ts';
import { type DashboardView, pathTo } from '../navigation.ts';
import { Link } from '../parts/link.tsx';
import { useScope } from '../scope.ts';

/** The names of the modes that people read. */
export const MODE_WORDS = { live: 'Live', test: 'Test' } as const;

/** Shows the mode of the page, and switches to the other one. */
export function ModeSwitch(input: {
  view: DashboardView;
  onFollow?: (() => void) | undefined;
}): ReactElement {
  const { view, onFollow } = input;
  const { app, mode } = useScope();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, and these are links
    <div className="mode" role="group" aria-label="Mode">
      {MODES.toReversed().map((each) => (
        <Link
          key={each}
          href={pathTo({ appId: app.id, mode: each }, view)}
          aria-current={each === mode ? 'true' : undefined}
          onFollow={onFollow}
        >
          {MODE_WORDS[each]}
        </Link>
      ))}
    </div>
  );
}
