import type { Language } from '../../core/connect-texts/catalog.ts';
import { fill } from '../../core/connect-texts/text.ts';
import type { ContentField, CopyWords } from './connect-content.ts';

/** Returns a field of a record, as content. @param what the name of the value for screen readers; null if the value has no copy button. */
export function contentField(
  language: Language,
  field: Pick<ContentField, 'label'> & Partial<ContentField>,
  what: string | null = null,
): ContentField {
  const { label, value = null, old = null, tip = null } = field;
  return { label, value, old, tip, copy: what === null ? null : copyWords(language, what) };
}

function copyWords({ texts: { page } }: Language, what: string): CopyWords {
  return { label: page.copy, name: fill(page.copyWhat, { what }), said: fill(page.copiedWhat, { what }) };
}
