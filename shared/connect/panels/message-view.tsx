import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** Renders a page with a single message: what happened, and what to do now. */
export function MessageView(input: {
  tone: 'quiet' | 'waiting' | 'good' | 'bad';
  headline: string;
  children: ReactNode;
}): ReactElement {
  const { tone, headline, children } = input;
  return (
    <section className={`card status message ${tone}`}>
      <div className="top">
        <span className="sign">
          <Icon name={SIGNS[tone]} />
        </span>
        <h1>{headline}</h1>
      </div>
      {children}
    </section>
  );
}

const SIGNS = { quiet: 's-held', waiting: 'mail', good: 'check', bad: 'warn' } as const;
