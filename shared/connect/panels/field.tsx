import type { ReactElement, ReactNode } from 'react';
import type { Language } from '../../core/languages/catalog.ts';
import { fill } from '../../core/languages/text.ts';
import { CopyButton } from './copy-button.tsx';

/** Renders one field of a record with its value, inside a `<dl>`. */
export function Field(input: {
  language: Language;
  id: string;
  label: string;
  value: string;
  /** True if the value can be copied as it is. */
  copy: boolean;
  /** The name of the copied value, for screen readers: "the Name of record 2". */
  what: string;
  tip?: ReactNode;
}): ReactElement {
  const { id, label, value, copy, what, tip } = input;
  const { page } = input.language.texts;
  return (
    <div className="field">
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        {copy ? (
          <CopyButton
            id={`copy-${id}`}
            label={page.copy}
            name={fill(page.copyWhat, { what })}
            said={fill(page.copiedWhat, { what })}
            text={value}
          />
        ) : null}
        {tip ? <p className="small">{tip}</p> : null}
      </dd>
    </div>
  );
}
