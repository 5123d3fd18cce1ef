import { fill } from '../../core/connect-texts/text.ts';
import { PROVIDERS } from '../../core/providers/providers.ts';
import { OTHER_PROVIDER } from '../page-path.ts';
import { forRecords, type View } from '../view.ts';
import type { ContentLink, ProviderChoice, RecordCardContent, RecordsBlock } from './connect-content.ts';
import { contentField } from './content-field.ts';

/**
 * Returns the block of records and how to set them, with the steps and field names of the DNS provider. Null if the status needs no
 * records.
 */
export function recordsBlock(view: View): RecordsBlock | null {
  const { words, guide, language, findings } = view;
  const { page: texts } = language.texts;
  if (words.records === null) return null;
  const records = recordCards(view);
  if (words.records === 'keep' || words.records === 'remove') {
    const title = words.records === 'keep' ? texts.keptRecords : texts.removableRecords;
    return { ...FOLDED, title: forRecords(view, title), records };
  }
  const panel = panelLink(view);
  const { caution, steps } = guide;
  // The finding already shows the change to make, so the complete records are only for reference.
  const [first] = findings;
  if (first?.isFault === true && first.changes.length > 0) {
    const title = forRecords(view, texts.wholeRecords);
    return { ...FOLDED, title, records, panel, caution, steps: { title: null, list: steps } };
  }
  const provider = guide.provider_name ?? texts.yourProvider;
  return {
    kind: 'records',
    title: forRecords(view, words.records === 'add' ? texts.addRecords : texts.setRecords, { provider }),
    is_folded: false,
    one_click: oneClick(view, provider),
    panel,
    records,
    caution,
    steps: { title: texts.showMeHow, list: steps },
    providers: providerChoice(view),
  };
}

const FOLDED = {
  kind: 'records',
  is_folded: true,
  one_click: null,
  panel: null,
  caution: null,
  steps: null,
  providers: null,
} as const;

/**
 * The index of the name among the fields type, name and value. The name gets a tip, because customers often enter the whole hostname there.
 */
const NAME = 1;

function recordCards({ guide, language, page, words }: View): RecordCardContent[] {
  const { page: texts } = language.texts;
  const isToEnter = words.records === 'add' || words.records === 'set';
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

function providerChoice({ guide, language, address, page }: View): ProviderChoice {
  const { page: texts } = language.texts;
  const { provider_name: provider } = guide;
  const named = PROVIDERS.map(({ id, name }) => ({ id, name }));
  return {
    title: provider === null ? texts.whichProvider : fill(texts.notProvider, { provider }),
    label: texts.chooseProvider,
    chosen: address.choice.provider ?? page.provider?.id ?? OTHER_PROVIDER,
    list: [
      ...named.toSorted((a, b) => a.name.localeCompare(b.name, language.tag)),
      { id: OTHER_PROVIDER, name: texts.anotherProvider },
    ],
  };
}
