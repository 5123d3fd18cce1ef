import type { ReactElement } from 'react';
import { fill } from '../../core/connect-texts/text.ts';
import type { StatusBlock } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { NamedText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/** Renders the status of the hostname: a headline, a text, the steps to live, and the links of a live domain. */
export function StatusPanel({
  block: { tone, icon, headline, text, steps, link },
  view: { page, language },
}: {
  block: StatusBlock;
  view: View;
}): ReactElement {
  const { brand, app_name: app } = page;
  return (
    <section className={`card ${tone}`} id="status" data-live="" aria-labelledby="headline">
      <div className={text === null ? 'state brief' : 'state'}>
        <Icon name={icon} />
        <h2 id="headline" tabIndex={-1}>
          {headline}
        </h2>
        {text === null ? null : (
          <p>
            <NamedText text={text} page={page} />
          </p>
        )}
      </div>
      {steps === null ? null : (
        <ol className="walk" aria-label={steps.label}>
          {steps.list.map((step) => (
            <li
              key={step.title}
              className={step.state}
              aria-current={step.state === 'now' ? 'step' : undefined}
            >
              {step.title}
              <span className="hidden"> {step.spoken}</span>
              {step.text === null ? null : <small>{step.text}</small>}
            </li>
          ))}
        </ol>
      )}
      {link === null ? null : (
        <p className="open">
          <a className="btn lead" href={link.href} target="_blank" rel="noopener noreferrer">
            <span>
              <NamedText text={link.text} page={page} />
            </span>
            <Icon name="out" />
          </a>
          {brand.return_url === null ? null : (
            <a className="btn" href={brand.return_url} rel="noopener noreferrer">
              {fill(language.texts.page.backToApp, { app })}
            </a>
          )}
        </p>
      )}
    </section>
  );
}
