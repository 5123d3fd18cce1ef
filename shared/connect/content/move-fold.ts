import { fill } from '../../core/connect-texts/text.ts';
import type { DnsRecord } from '../../core/dns/dns-records.ts';
import { forRecords, type View } from '../view.ts';
import type { Fold, RecordCardContent } from './connect-content.ts';
import { contentField } from './content-field.ts';

/**
 * Returns the record that permits a certificate before the hostname moves (`docs/moving-in.md`). Null once the certificate exists or the
 * move has begun.
 */
export function moveFold(view: View): Fold | null {
  const { page, language } = view;
  const { page: texts } = language.texts;
  const { hostname } = page;
  const { acme_challenge: record, www_acme_challenge: wwwRecord } = page.dns;
  if (record === null || page.status !== 'pending_dns' || page.ready_to_switch) return null;
  const www = `www.${hostname}`;
  const first = challengeCard(view, record, (field) => fill(texts.whatFieldOfFirst, { field }));
  const parts = [{ text: forRecords(view, texts.moveText), record: first }];
  if (wwwRecord !== null) {
    const second = challengeCard(view, wwwRecord, (field) => fill(texts.whatFieldOf, { field, at: www }));
    parts.push({ text: fill(texts.moveWww, { hostname: www }), record: second });
  }
  const title = fill(texts.moveTitle, { hostname });
  return { id: 'move', title, parts, steps: [], providers: null };
}

/** @param what returns the name of a field for screen readers. */
function challengeCard(
  { language, guide }: View,
  record: DnsRecord,
  what: (field: string) => string,
): RecordCardContent {
  const { fieldType, fieldName, fieldValue } = language.texts.page;
  const labels = guide.records[0]?.fields.map(({ label }) => label) ?? [];
  const [type = fieldType, name = fieldName, value = fieldValue] = labels;
  return {
    title: null,
    fields: [
      contentField(language, { label: type, value: 'CNAME' }),
      contentField(language, { label: name, value: record.name }, what(name)),
      contentField(language, { label: value, value: record.value }, what(value)),
    ],
  };
}
