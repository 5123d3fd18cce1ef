import { fill, fillCount } from '../../core/connect-texts/text.ts';
import type { DnsRecord } from '../../core/dns/dns-records.ts';
import { recordCount } from '../record-count.ts';
import { forRecords, type View } from '../view.ts';
import type { MoveBlock, RecordCardContent } from './connect-content.ts';
import { contentField } from './content-field.ts';

/**
 * Returns the block with the record that permits a certificate before the hostname moves (`docs/moving-in.md`). Null once the move has
 * begun.
 */
export function moveBlock(view: View): MoveBlock | null {
  const { page, language } = view;
  const { page: texts } = language.texts;
  const { hostname } = page;
  const { acme_challenge: record, www_acme_challenge: wwwRecord } = page.dns;
  if (record === null || page.status !== 'pending_dns') return null;
  if (page.ready_to_switch) {
    const text = fillCount(language.tag, texts.switchText, recordCount(page), { hostname });
    return { kind: 'move', title: texts.switchTitle, is_folded: false, parts: [{ text, record: null }] };
  }
  const www = `www.${hostname}`;
  const first = challengeCard(view, record, (field) => fill(texts.whatFieldOfFirst, { field }));
  const parts = [{ text: forRecords(view, texts.moveText), record: first }];
  if (wwwRecord !== null) {
    const second = challengeCard(view, wwwRecord, (field) => fill(texts.whatFieldOf, { field, at: www }));
    parts.push({ text: fill(texts.moveWww, { hostname: www }), record: second });
  }
  return { kind: 'move', title: fill(texts.moveTitle, { hostname }), is_folded: true, parts };
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
