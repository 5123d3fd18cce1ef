import type { ReactElement } from 'react';
import { type IconName, iconPaths } from '../../core/look/icons.ts';

/** Shows one of our icons, inline, so that the page loads nothing for it. Words always accompany an icon. */
export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      {iconPaths(name).map(({ kind, d }) => (
        <path key={kind} className={kind} d={d} />
      ))}
    </svg>
  );
}
