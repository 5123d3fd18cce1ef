import type { ReactElement } from 'react';
import { fill } from '../../core/languages/text.ts';
import type { FormField, RecordForm } from '../../core/providers/provider-steps.ts';
import type { View } from '../view.ts';
import { Field } from './field.tsx';
import { Filled } from './filled.tsx';
import { HostnameText } from './hostname-text.tsx';

/** Renders the records, field by field. */
export function RecordList({ view }: { view: View }): ReactElement {
  const { records } = view.guide;
  return (
    <div className="list">
      {records.map((record, index) => (
        <RecordCard
          key={JSON.stringify(record)}
          view={view}
          record={record}
          place={records.length > 1 ? { at: index + 1, count: records.length } : null}
        />
      ))}
    </div>
  );
}

function RecordCard(input: {
  view: View;
  record: RecordForm;
  place: { at: number; count: number } | null;
}): ReactElement {
  const { view, record, place } = input;
  const { language, page, words } = view;
  const { page: texts } = language.texts;
  const at = String(place?.at ?? 1);
  const isToEnter = words.records === 'add' || words.records === 'set';
  return (
    <div className="record">
      {place === null ? null : <h3>{fill(texts.recordOf, { at, count: String(place.count) })}</h3>}
      <dl>
        {record.fields.map((field, index) => (
          <Field
            key={field.label}
            language={language}
            id={`${at}-${index + 1}`}
            {...field}
            what={fill(place === null ? texts.whatField : texts.whatFieldOf, { field: field.label, at })}
            tip={
              isToEnter && index === NAME ? (
                <Filled
                  text={standsForDomain(field) ? texts.standsForDomain : texts.withoutDomain}
                  values={{ domain: <HostnameText hostname={page.registrable} /> }}
                />
              ) : null
            }
          />
        ))}
      </dl>
    </div>
  );
}

/** Index of the name field. The fields are type, name and value. Its most common mistake is the whole hostname. */
const NAME = 1;

function standsForDomain({ value, copy }: FormField): boolean {
  return value === '@' || !copy;
}
