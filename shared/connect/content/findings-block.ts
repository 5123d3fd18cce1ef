import type { Language } from '../../core/connect-texts/catalog.ts';
import { CHANGE_TITLES } from '../../core/connect-texts/change-lines.ts';
import type { ShownFinding } from '../shown-finding.ts';
import type { View } from '../view.ts';
import type { ContentField, FindingContent, FindingsBlock, RecordCardContent } from './connect-content.ts';
import { contentField } from './content-field.ts';

/**
 * Returns the block of findings: what the check found, what is expected, and what to do. Leaves out the finding that the records block
 * fixes. Null if there are no other findings.
 */
export function findingsBlock({ findings, fix, language, words }: View): FindingsBlock | null {
  const others = findings.filter((finding) => finding !== fix);
  const [first] = others;
  if (first === undefined) return null;
  const { toFix, weSee } = language.texts.page;
  const tone = words.tone === 'bad' ? 'bad' : 'wait';
  return {
    kind: 'findings',
    title: first.isFault ? toFix : weSee,
    list: others.map((finding) => findingContent(finding, language, finding.isFault ? tone : 'quiet')),
  };
}

function findingContent(
  finding: ShownFinding,
  language: Language,
  tone: FindingContent['tone'],
): FindingContent {
  const { code, title, meaning, changes, hint } = finding;
  return {
    code,
    tone,
    title,
    meaning,
    changes: changes.map((change) => changeCard(change, language)),
    compared: changes.length > 0 ? [] : comparedFields(finding, language),
    hint: { label: language.texts.page.toDo, text: hint },
  };
}

function comparedFields({ found, isAbsent, expected }: ShownFinding, language: Language): ContentField[] {
  const { weSeeNow, nothing, shouldBe, whatShouldBe } = language.texts.page;
  const fields: ContentField[] = [];
  if (found !== null || (isAbsent && expected !== null))
    fields.push(contentField(language, { label: weSeeNow, value: found ?? nothing }));
  if (expected !== null)
    fields.push(contentField(language, { label: shouldBe, value: expected }, whatShouldBe));
  return fields;
}

/** Returns one change to the customer's records. A value to remove is shown struck out. */
export function changeCard(change: ShownFinding['changes'][number], language: Language): RecordCardContent {
  const { page: texts } = language.texts;
  const { action, type, name, value, of } = change;
  const fields = [
    contentField(language, {
      label: texts.fieldType,
      value: type,
      old: of !== null && of.type !== type ? of.type : null,
    }),
    contentField(language, { label: texts.fieldName, value: name }, texts.whatChangedName),
  ];
  if (of !== null) fields.push(contentField(language, { label: texts.replaceValue, old: of.value }));
  fields.push(
    action === 'remove'
      ? contentField(language, { label: texts.fieldValue, old: value })
      : contentField(
          language,
          { label: of === null ? texts.fieldValue : texts.withValue, value },
          texts.whatNewValue,
        ),
  );
  return { title: texts[CHANGE_TITLES[action]], fields };
}
