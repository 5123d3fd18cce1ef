import type { ReactElement, ReactNode } from 'react';
import { colleagueMail } from '../colleague-mail.ts';
import type { Fold, FoldsBlock } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { HandOver } from './hand-over.tsx';
import { NamedText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';
import { ProviderPicker } from './provider-picker.tsx';
import { RecordCard } from './record-card.tsx';

/** Renders the parts of which only the title is visible at first. */
export function FoldsPanel({ block, view }: { block: FoldsBlock | null; view: View }): ReactElement {
  const mail = colleagueMail(view);
  if (block === null && mail === null) return <div id="folds" data-live="" />;
  return (
    <section className="card fold" id="folds" data-live="">
      {block?.list.map((fold) => (
        <Folded key={fold.id} id={fold.id} title={<NamedText text={fold.title} page={view.page} />}>
          <FoldContent fold={fold} view={view} />
        </Folded>
      ))}
      {mail === null ? null : (
        <Folded id="hand-over" title={view.language.texts.page.colleagueTitle}>
          <HandOver mail={mail} view={view} />
        </Folded>
      )}
    </section>
  );
}

function FoldContent({ fold, view }: { fold: Fold; view: View }): ReactElement {
  const { id, parts, steps, providers } = fold;
  return (
    <>
      {parts.map(({ text, record }, index) => (
        <div className="part" key={JSON.stringify(record)}>
          {text === null ? null : (
            <p>
              <NamedText text={text} page={view.page} />
            </p>
          )}
          <RecordCard record={record} id={`${id}-${index + 1}`} page={view.page} />
        </div>
      ))}
      {steps.length === 0 ? null : (
        <ol className="ways">
          {steps.map((step) => (
            <li key={step}>
              <p>{step}</p>
            </li>
          ))}
        </ol>
      )}
      {providers && <ProviderPicker of={providers} view={view} />}
    </>
  );
}

function Folded(input: { id: string; title: ReactNode; children: ReactNode }): ReactElement {
  return (
    <details id={`fold-${input.id}`}>
      <summary>
        <Icon name="right" />
        <span>{input.title}</span>
      </summary>
      <div className="inside">{input.children}</div>
    </details>
  );
}
