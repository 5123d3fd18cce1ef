import type { ReactElement, ReactNode } from 'react';
import type { Fold, ProviderChoice } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { NamedText } from './named-text.tsx';
import { RecordCard } from './record-card.tsx';

/**
 * Renders the parts of which only the title is visible at first.
 * @param input.pick renders the choice of a DNS provider.
 * @param input.children more parts.
 */
export function FoldsPanel(input: {
  list: readonly Fold[];
  names: readonly string[];
  pick: (choice: ProviderChoice) => ReactElement;
  children?: ReactNode;
}): ReactElement {
  const { list, names, pick, children } = input;
  return (
    <section className="card fold" id="folds" data-live="" part="folds">
      {list.map(({ id, title, parts, steps, providers }) => (
        <Folded key={id} id={id} title={<NamedText text={title} names={names} />}>
          {parts.map(({ text, record }, index) => (
            <div className="part" key={JSON.stringify(record)}>
              {text !== null && (
                <p>
                  <NamedText text={text} names={names} />
                </p>
              )}
              <RecordCard record={record} id={`${id}-${index + 1}`} names={names} />
            </div>
          ))}
          {steps.length > 0 && (
            <ol className="ways">
              {steps.map((step) => (
                <li key={step}>
                  <p>{step}</p>
                </li>
              ))}
            </ol>
          )}
          {providers && pick(providers)}
        </Folded>
      ))}
      {children}
    </section>
  );
}

export function Folded(input: { id: string; title: ReactNode; children: ReactNode }): ReactElement {
  const { id, title, children } = input;
  return (
    <details id={`fold-${id}`}>
      <summary id={`open-${id}`}>
        <Icon name="right" />
        <span>{title}</span>
      </summary>
      <div className="inside">{children}</div>
    </details>
  );
}
