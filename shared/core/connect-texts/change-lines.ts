import type { RecordChange } from '../dns/changes/record-change.ts';
import type { Language } from './catalog.ts';
import { fill } from './text.ts';

/** The keys of the titles of a change. */
export const CHANGE_TITLES = { add: 'addRecord', replace: 'changeRecord', remove: 'deleteRecord' } as const;

/** A field of a record in a mail. `effect` is what the change does to the value: the change removes it, or sets it. */
export interface ChangeField {
  label: string;
  value: string;
  effect: 'removed' | 'set' | null;
}

/** Returns the fields of the record that a change adds, replaces or removes. */
export function changeFields({ texts }: Language, change: RecordChange): ChangeField[] {
  const { action, type, name, value, of } = change;
  const { page } = texts;
  const before = of === null ? [] : [of.type === type ? of.value : `${of.type} ${of.value}`];
  return [
    { label: page.fieldType, value: type, effect: null },
    { label: page.fieldName, value: name, effect: null },
    ...before.map((text) => ({ label: page.replaceValue, value: text, effect: 'removed' as const })),
    {
      label: of === null ? page.fieldValue : page.withValue,
      value,
      effect: action === 'remove' ? 'removed' : 'set',
    },
  ];
}

/** Describes a change to a record as the lines of a plain-text mail. */
export function changeLines(language: Language, change: RecordChange): string[] {
  const { page, mails } = language.texts;
  return [
    `${page[CHANGE_TITLES[change.action]]}:`,
    ...changeFields(language, change).map(({ label, value }) => fill(mails.field, { label, value })),
  ];
}
