import type { ReactElement, ReactNode } from 'react';
import type { ChecksBlock } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { TimeText } from './time-text.tsx';

/**
 * Renders the times of the last and the next check, with the button "Check now".
 * @param input.action the address of the form; null if a script handles the button.
 * @param input.children the result of the button.
 */
export function ChecksPanel(input: {
  block: ChecksBlock;
  action: string | null;
  children: ReactNode;
}): ReactElement {
  const { block, action, children } = input;
  const { label, result, times, button } = block;
  const ask = (
    <button type={action === null ? 'button' : 'submit'} id="check-again" part="button check">
      <Icon name="retry" />
      {button}
    </button>
  );
  const form = action && (
    <form method="post" action={action} data-quiet="">
      {ask}
    </form>
  );
  return (
    <section className="stack" id="checks" data-live="" aria-label={label} part="checks">
      <div className="between">
        <div>
          {result !== null && <b id="result">{result}</b>}
          {times.map((time) => (
            <TimeText key={time.text} of={time} />
          ))}
        </div>
        {button !== null && (form ?? ask)}
      </div>
      {children}
    </section>
  );
}
