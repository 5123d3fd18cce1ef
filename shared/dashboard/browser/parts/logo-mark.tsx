import type { ReactElement } from 'react';
import { MARK } from '../../../core/look/mark.ts';

/** Shows our mark. */
export function LogoMark(): ReactElement {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the mark is a constant
  return <span className="mark-place" dangerouslySetInnerHTML={{ __html: MARK }} />;
}
