import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { RecordCardContent as Content, ContentField } from '../content/connect-content.ts';
import { rowClass } from '../content/row-class.ts';
import { CopyButton } from './copy-button.tsx';
import { NamedText } from './hostname-text.tsx';

/** Renders a record, or a change to one. @param id the prefix for the ids of the copy buttons. */
export function RecordCard({
  record: { title, fields },
  id,
  page,
}: {
  record: Content;
  id: string;
  page: ConnectPage;
}): ReactElement {
  return (
    <>
      {title === null ? null : <h3>{title}</h3>}
      <dl className="record">
        {fields.map((field, index) => (
          <Field key={field.label} field={field} id={`${id}-${index + 1}`} page={page} />
        ))}
      </dl>
    </>
  );
}

/** Renders one field with its value, inside a `<dl>`. A value to remove is struck out. */
export function Field({
  field,
  id,
  page,
}: {
  field: ContentField;
  id: string;
  page: ConnectPage;
}): ReactElement {
  const { label, value, old, copy, tip } = field;
  return (
    <div className={rowClass(field)}>
      <dt>{label}</dt>
      <dd>
        {old === null ? null : (
          <del>
            <code>{old}</code>
          </del>
        )}
        {value === null ? null : <ValueText value={value} />}
      </dd>
      {value === null || copy === null ? null : (
        <dd>
          <CopyButton id={`copy-${id}`} text={value} {...copy} />
        </dd>
      )}
      {tip === null ? null : (
        <dd className="note">
          <NamedText text={tip} page={page} />
        </dd>
      )}
    </div>
  );
}

/** Renders a value so that a long one breaks after its first dot. */
function ValueText({ value }: { value: string }): ReactElement {
  const end = value.indexOf('.') + 1;
  return (
    <code>
      {value.slice(0, end)}
      {end === 0 ? null : <wbr />}
      {value.slice(end)}
    </code>
  );
}
