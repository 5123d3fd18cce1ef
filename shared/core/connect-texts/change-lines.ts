import type { RecordChange } from '../dns/changes/record-change.ts';
import type { Language } from './catalog.ts';
import { fill } from './text.ts';

const TITLES = { add: 'addRecord', replace: 'changeRecord', remove: 'deleteRecord' } as const;

/** Describes a change to a record as the lines of a plain-text mail. */
export function changeLines({ texts }: Language, { action, type, name, value, of }: RecordChange): string[] {
  const { page, mails } = texts;
  const fields: [label: string, value: string][] = [
    [page.fieldType, type],
    [page.fieldName, name],
    ...(of === null
      ? []
      : ([[page.valueNow, of.type === type ? of.value : `${of.type} ${of.value}`]] as [string, string][])),
    [of === null ? page.fieldValue : page.newValue, value],
  ];
  return [
    `${page[TITLES[action]]}:`,
    ...fields.map(([label, text]) => fill(mails.field, { label, value: text })),
  ];
}
