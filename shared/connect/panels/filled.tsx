import { Fragment, type ReactElement, type ReactNode } from 'react';
import { splitText } from '../../core/connect-texts/text.ts';

/** Renders a text with elements in place of its placeholders. */
export function Filled(input: { text: string; values: Readonly<Record<string, ReactNode>> }): ReactElement {
  return (
    <>
      {splitText(input.text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity, and are rendered once.
        <Fragment key={index}>{index % 2 === 0 ? part : input.values[part]}</Fragment>
      ))}
    </>
  );
}
