import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** Renders a page with a single message: what happened, and what to do now. */
export function MessageView(input: {
  tone: 'quiet' | 'wait' | 'good' | 'bad';
  headline: string;
  children: ReactNode;
}): ReactElement {
  const { tone, headline, children } = input;
  return (
    <section className={`card ${tone}`}>
      <div className="state brief">
        <Icon name={SIGNS[tone]} />
        <h1>{headline}</h1>
      </div>
      {children}
    </section>
  );
}

const SIGNS = { quiet: 's-gone', wait: 'mail', good: 's-active', bad: 's-broken' } as const;
