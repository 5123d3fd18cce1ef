import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { RecordCardContent as Content, ContentField } from '../content/connect-content.ts';
import { CopyButton } from './copy-button.tsx';
import { NamedText } from './hostname-text.tsx';

/** Renders a record, or a change to one. @param id the prefix for the ids of the copy buttons. */
export function RecordCard({
  record: { title, fields },
  heading: Heading,
  id,
  page,
}: {
  record: Content;
  heading: 'h3' | 'h4';
  id: string;
  page: ConnectPage;
}): ReactElement {
  return (
    <div className="record">
      {title === null ? null : <Heading>{title}</Heading>}
      <dl>
        {fields.map((field, index) => (
          <Field key={field.label} field={field} id={`${id}-${index + 1}`} page={page} />
        ))}
      </dl>
    </div>
  );
}

/** Renders one field with its value, inside a `<dl>`. A value to remove is struck out. */
export function Field({
  field: { label, value, old, copy, tip },
  id,
  page,
}: {
  field: ContentField;
  id: string;
  page: ConnectPage;
}): ReactElement {
  return (
    <div className="field">
      <dt>{label}</dt>
      <dd>
        {old === null ? null : (
          <del>
            <code>{old}</code>
          </del>
        )}
        {value === null ? null : <code>{value}</code>}
        {value === null || copy === null ? null : <CopyButton id={`copy-${id}`} text={value} {...copy} />}
        {tip === null ? null : (
          <p className="small">
            <NamedText text={tip} page={page} />
          </p>
        )}
      </dd>
    </div>
  );
}
