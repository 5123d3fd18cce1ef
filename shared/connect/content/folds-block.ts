import { fill } from '../../core/connect-texts/text.ts';
import { PROVIDERS } from '../../core/providers/providers.ts';
import { OTHER_PROVIDER } from '../page-path.ts';
import { putsRecordsFirst } from '../status-words.ts';
import { forRecords, type View } from '../view.ts';
import type { Fold, FoldsBlock } from './connect-content.ts';
import { moveFold } from './move-fold.ts';
import { recordCards } from './records-block.ts';

const FOLD = { parts: [], steps: [], providers: null } as const;

/** Returns the block of folded parts: the records to keep, the steps at the DNS provider, and the record for a move. */
export function foldsBlock(view: View): FoldsBlock | null {
  const list = [
    recordsFold(view),
    ...(putsRecordsFirst(view.words) ? [stepsFold(view), providersFold(view)] : []),
    moveFold(view),
  ].filter((fold) => fold !== null);
  return list.length === 0 ? null : { kind: 'folds', list };
}

/** Returns the records for reference, if no part above asks for them. If only changes to them are asked for, the steps are here too. */
function recordsFold(view: View): Fold | null {
  const { words, language, fix, guide } = view;
  const { keptRecords, removableRecords, wholeRecords } = language.texts.page;
  if (words.records === null || (putsRecordsFirst(words) && fix === null)) return null;
  const title = fix !== null ? wholeRecords : words.records === 'remove' ? removableRecords : keptRecords;
  const parts = recordCards(view).map((record) => ({ text: null, record }));
  const steps = fix === null ? [] : guide.steps;
  return { ...FOLD, id: 'records', title: forRecords(view, title), parts, steps };
}

function stepsFold({ fix, guide, language }: View): Fold | null {
  const title = language.texts.page.showMeHow;
  return fix === null ? { ...FOLD, id: 'steps', title, steps: guide.steps } : null;
}

function providersFold({ guide, language, address, page }: View): Fold {
  const { page: texts } = language.texts;
  const { provider_name: provider } = guide;
  const named = PROVIDERS.map(({ id, name }) => ({ id, name }));
  return {
    ...FOLD,
    id: 'providers',
    title: provider === null ? texts.whichProvider : fill(texts.notProvider, { provider }),
    providers: {
      label: texts.chooseProvider,
      chosen: address.choice.provider ?? page.provider?.id ?? OTHER_PROVIDER,
      list: [
        ...named.toSorted((a, b) => a.name.localeCompare(b.name, language.tag)),
        { id: OTHER_PROVIDER, name: texts.anotherProvider },
      ],
    },
  };
}
