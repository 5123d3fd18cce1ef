import type { ReactElement } from 'react';
import type { Language } from '../../core/languages/catalog.ts';
import type { ShownFinding } from '../shown-finding.ts';
import { Field } from './field.tsx';

const CHANGE_TITLES = {
  add: 'addRecord',
  replace: 'changeRecord',
  remove: 'deleteRecord',
} as const;

/** Renders one change to the customer's records. The value that has to go is struck out. */
export function ChangeCard(input: {
  id: string;
  change: ShownFinding['changes'][number];
  language: Language;
}): ReactElement {
  const { id, change, language } = input;
  const { page: texts } = language.texts;
  const { action, type, name, value, of } = change;
  return (
    <div className="record">
      <h4>{texts[CHANGE_TITLES[action]]}</h4>
      <dl>
        <div className="field">
          <dt>{texts.fieldType}</dt>
          <dd>
            {of !== null && of.type !== type ? <Struck value={of.type} /> : null}
            <code>{type}</code>
          </dd>
        </div>
        <Field
          language={language}
          id={`name-${id}`}
          label={texts.fieldName}
          value={name}
          copy
          what={texts.whatChangedName}
        />
        {of === null ? null : <StruckField label={texts.valueNow} value={of.value} />}
        {action === 'remove' ? (
          <StruckField label={texts.fieldValue} value={value} />
        ) : (
          <Field
            language={language}
            id={`value-${id}`}
            label={of === null ? texts.fieldValue : texts.newValue}
            value={value}
            copy
            what={texts.whatNewValue}
          />
        )}
      </dl>
    </div>
  );
}

function StruckField({ label, value }: { label: string; value: string }): ReactElement {
  return (
    <div className="field">
      <dt>{label}</dt>
      <dd>
        <Struck value={value} />
      </dd>
    </div>
  );
}

function Struck({ value }: { value: string }): ReactElement {
  return (
    <del>
      <code>{value}</code>
    </del>
  );
}
