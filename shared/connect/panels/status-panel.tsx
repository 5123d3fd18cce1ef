import type { ReactElement, ReactNode } from 'react';
import type { StatusBlock } from '../content/connect-content.ts';
import { ButtonLink } from './button-link.tsx';
import { Icon } from './icons.tsx';
import { NamedText } from './named-text.tsx';

/** Renders the status of the hostname: a headline, a text, the steps to live, and the link of a live domain. Other links are children. */
export function StatusPanel(input: {
  block: StatusBlock;
  names: readonly string[];
  children?: ReactNode;
}): ReactElement {
  const { block, names, children } = input;
  const { tone, icon, headline, text, steps, link } = block;
  return (
    <section
      className={`card ${tone}`}
      id="status"
      data-live=""
      aria-labelledby="headline"
      part={`status status-${tone}`}
    >
      <div className={text === null ? 'state brief' : 'state'}>
        <Icon name={icon} />
        <h2 id="headline" tabIndex={-1} part="headline">
          {headline}
        </h2>
        {text !== null && (
          <p>
            <NamedText text={text} names={names} />
          </p>
        )}
      </div>
      {steps && (
        <ol className="walk" aria-label={steps.label} part="steps">
          {steps.list.map(({ state, title, spoken, text: now }) => (
            <li
              key={title}
              className={state}
              aria-current={state === 'now' ? 'step' : undefined}
              part={`step step-${state}`}
            >
              {title}
              <span className="hidden"> {spoken}</span>
              {now !== null && <small>{now}</small>}
            </li>
          ))}
        </ol>
      )}
      {link && (
        <p className="open">
          <ButtonLink link={link} look="primary" names={names} />
          {children}
        </p>
      )}
    </section>
  );
}
