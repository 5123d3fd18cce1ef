import type { ReactElement } from 'react';
import type { RecordCardContent as Content, ContentField } from '../content/connect-content.ts';
import { CopyButton } from './copy-button.tsx';
import { NamedText } from './named-text.tsx';

/** Renders a record, or a change to one. @param input.id the prefix for the ids of the copy buttons. */
export function RecordCard(input: { record: Content; id: string; names: readonly string[] }): ReactElement {
  const { record, id, names } = input;
  return (
    <>
      {record.title !== null && <h3>{record.title}</h3>}
      <RecordFields fields={record.fields} id={id} names={names} />
    </>
  );
}

export function RecordFields(input: {
  fields: readonly ContentField[];
  id: string;
  names: readonly string[];
  isWide?: boolean;
}): ReactElement {
  const { fields, id, names, isWide } = input;
  return (
    <dl className={isWide ? 'record wide' : 'record'} part="record">
      {fields.map((field, index) => (
        <Field key={field.label} field={field} id={`${id}-${index + 1}`} names={names} />
      ))}
    </dl>
  );
}

/** Renders one field with its value. A value to remove is struck out. */
function Field(input: { field: ContentField; id: string; names: readonly string[] }): ReactElement {
  const { field, id, names } = input;
  const { label, value, old, copy, tip } = field;
  return (
    <div className={rowClass(field)} part="field">
      <dt part="label">{label}</dt>
      <dd>
        {old !== null && (
          <del part="old">
            <ValueText value={old} />
          </del>
        )}
        {value !== null && <ValueText value={value} />}
      </dd>
      {value !== null && copy && (
        <dd>
          <CopyButton id={`copy-${id}`} text={value} {...copy} />
        </dd>
      )}
      {tip !== null && (
        <dd className="note">
          <NamedText text={tip} names={names} />
        </dd>
      )}
    </div>
  );
}

/** A value with more characters than this stands below its label on a phone. */
const SHORT_MAX = 20;

/** Returns the class of a row: `old` for a value to remove, and `long` for a long value. */
function rowClass({ value, old }: ContentField): string {
  if (value === null) return old === null ? '' : 'old';
  return value.length > SHORT_MAX ? 'long' : '';
}

/** Renders a value, which breaks after its first dot if it is long. DNS values are written from left to right in every language. */
function ValueText({ value }: { value: string }): ReactElement {
  const end = value.indexOf('.') + 1;
  return (
    <code part="value" dir="ltr">
      {value.slice(0, end)}
      {end > 0 && <wbr />}
      {value.slice(end)}
    </code>
  );
}
