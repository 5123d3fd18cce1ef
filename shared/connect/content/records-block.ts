import { CHANGE_TITLES } from '../../core/connect-texts/change-lines.ts';
import { fill } from '../../core/connect-texts/text.ts';
import type { ReasonCode } from '../../core/reasons.ts';
import type { ShownFinding } from '../shown-finding.ts';
import { putsRecordsFirst } from '../status-words.ts';
import { forRecords, isSaidAbove, type View } from '../view.ts';
import type { ContentLink, RecordCardContent, RecordsBlock, Way } from './connect-content.ts';
import { contentField } from './content-field.ts';
import { changeCard } from './findings-block.ts';

/** Returns the block that asks for the records, or for the changes that fix them. Null if the status asks for nothing. */
export function recordsBlock(view: View): RecordsBlock | null {
  const { words, guide, language, fix } = view;
  const { page: texts } = language.texts;
  if (!putsRecordsFirst(words)) return null;
  const provider = guide.provider_name ?? texts.yourProvider;
  const title =
    fix === null
      ? forRecords(view, words.records === 'add' ? texts.addRecords : texts.setRecords, { provider })
      : fill(texts.fixAt, { provider });
  return {
    kind: 'records',
    title,
    one_click: fix === null ? oneClick(view, provider) : null,
    ways: [
      openWay(view),
      ...(fix === null ? [enterWay(view)] : changeWays(view, fix)),
      { ...WAY, title: texts.saveRecords, text: isSaidAbove(view) ? null : words.text },
    ],
    caution: guide.caution,
  };
}

const WAY = { link: null, records: [], text: null } as const;

function openWay(view: View): Way {
  const { guide, language, page, fix } = view;
  const { page: texts, panelNames } = language.texts;
  const domain = page.registrable;
  const link = panelLink(view);
  // The last two steps are about the record, and the step before them adds it. A link takes the place of the others on a phone.
  const steps = guide.steps.slice(0, link === null ? 1 : fix === null ? -2 : -3).join(panelNames.next);
  return {
    ...WAY,
    title: fill(texts.openRecords, { domain }),
    link,
    text: guide.provider_name === null ? fill(texts.usuallyThere, { domain }) : steps || null,
  };
}

function enterWay(view: View): Way {
  return {
    ...WAY,
    title: forRecords(view, view.language.texts.page.enterRecords),
    records: recordCards(view),
  };
}

/** Reasons whose hint says more than which record to change, such as how to type the value. */
const SAYS_MORE: readonly ReasonCode[] = [
  'dnssec_invalid',
  'dns_doubled_host',
  'dns_doubled_target',
  'dns_proxied',
  'dns_txt_mismatch',
  'dns_acme_challenge_conflict',
  'caa_forbids',
];

/** Returns one action for each change of a fix. The cause stands below the last one, without a hint that repeats the change. */
function changeWays({ language }: View, { code, changes, meaning, hint }: ShownFinding): Way[] {
  const why = SAYS_MORE.includes(code) ? meaning + language.texts.panelNames.next + hint : meaning;
  return changes.map((change, index) => ({
    ...WAY,
    title: language.texts.page[CHANGE_TITLES[change.action]],
    records: [{ ...changeCard(change, language), title: null }],
    text: index === changes.length - 1 ? why : null,
  }));
}

/**
 * The index of the name among the fields type, name and value. The name gets a tip, because customers often enter the whole hostname there.
 */
const NAME = 1;

export function recordCards({ guide, language, page, words }: View): RecordCardContent[] {
  const { page: texts } = language.texts;
  const isToEnter = putsRecordsFirst(words);
  const isOne = guide.records.length === 1;
  return guide.records.map(({ fields }, index) => {
    const at = String(index + 1);
    return {
      title: isOne ? null : fill(texts.recordOf, { at, count: String(guide.records.length) }),
      fields: fields.map(({ label, value, copy }, place) => {
        const what = fill(isOne ? texts.whatField : texts.whatFieldOf, { field: label, at });
        const tip = value === '@' || !copy ? texts.standsForDomain : texts.withoutDomain;
        const isNamed = isToEnter && place === NAME;
        return contentField(
          language,
          { label, value, tip: isNamed ? fill(tip, { domain: page.registrable }) : null },
          copy ? what : null,
        );
      }),
    };
  });
}

function oneClick(view: View, provider: string): RecordsBlock['one_click'] {
  const { page, address, language } = view;
  const { page: texts } = language.texts;
  // The link opens the provider that serves the zone, so it is not shown if the visitor has chosen another provider.
  if (page.one_click_url === null || address.choice.provider !== null) return null;
  return {
    text: forRecords(view, texts.oneClickText, { provider }),
    link: { text: fill(texts.oneClickButton, { provider }), href: page.one_click_url },
    alternative: forRecords(view, texts.oneClickElse),
    waits: fill(texts.oneClickWaits, { provider }),
  };
}

function panelLink({ guide, language }: View): ContentLink | null {
  const { provider_name: provider, panel_url: href } = guide;
  if (href === null || provider === null) return null;
  return { text: fill(language.texts.page.openProvider, { provider }), href };
}
