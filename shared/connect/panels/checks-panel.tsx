import type { ReactElement } from 'react';
import type { ChecksBlock } from '../content/connect-content.ts';
import type { NoticeCode } from '../notices.ts';
import { pageLink } from '../page-path.ts';
import type { View } from '../view.ts';
import { Icon } from './icons.tsx';
import { NoticeText } from './notice-text.tsx';
import { TimeSentenceText } from './time-text.tsx';

/** Renders the times of the last and the next check, with the button "Check now". */
export function ChecksPanel({
  block,
  view: { language, address },
  notice,
}: {
  block: ChecksBlock | null;
  view: View;
  notice: NoticeCode | null;
}): ReactElement {
  if (block === null && notice === null) return <div id="checks" data-live="" />;
  const label = language.texts.page.checks;
  return (
    <section className="stack" id="checks" data-live="" aria-label={label}>
      {block === null ? null : (
        <div className="between">
          <div>
            {block.result === null ? null : <b id="result">{block.result}</b>}
            {block.times.map((time) => (
              <p key={time.text}>
                <TimeSentenceText of={time} relative language={language} />
              </p>
            ))}
          </div>
          {block.button === null ? null : (
            <form method="post" action={pageLink(address, '/check')} data-quiet="">
              <button type="submit" id="check-again">
                <Icon name="retry" />
                {block.button}
              </button>
            </form>
          )}
        </div>
      )}
      <NoticeText code={notice} place="status" language={language} />
    </section>
  );
}
