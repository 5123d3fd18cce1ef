import type { ReactElement } from 'react';
import type { StatusBlock } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { NamedText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/** Renders the status of the hostname: a headline, a text, and the steps to live. */
export function StatusPanel({
  block: { tone, headline, text, steps, link },
  view: { page, missing },
}: {
  block: StatusBlock;
  view: View;
}): ReactElement {
  return (
    <section className={`card status ${tone}`} id="status" data-live="" aria-labelledby="headline">
      <div className="top">
        <span className="sign">
          <Icon name={SIGNS[tone]} />
        </span>
        <h2 id="headline" tabIndex={-1}>
          {headline}
        </h2>
        {text === null ? null : <p className={missing === null ? undefined : 'why'}>{text}</p>}
      </div>
      {steps === null ? null : (
        <ol className="steps" aria-label={steps.label}>
          {steps.list.map((step, index) => (
            <li
              key={step.title}
              className={step.state}
              aria-current={step.state === 'now' ? 'step' : undefined}
            >
              <span className="dot" aria-hidden="true">
                {step.state === 'done' ? <Icon name="check" /> : index + 1}
              </span>
              <b>
                {step.title}
                <span className="hidden"> {step.spoken}</span>
              </b>
              <span className="small">{step.text}</span>
            </li>
          ))}
        </ol>
      )}
      {link === null ? null : (
        <a className="button primary" href={link.href} target="_blank" rel="noopener noreferrer">
          <span>
            <NamedText text={link.text} page={page} />
          </span>
          <Icon name="out" />
        </a>
      )}
    </section>
  );
}

const SIGNS = {
  waiting: 's-wait',
  fix: 'warn',
  working: 's-work',
  good: 'check',
  bad: 'warn',
  quiet: 's-held',
} as const;
