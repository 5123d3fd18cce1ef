import type { ReactElement } from 'react';
import type { RecordsBlock, Way } from '../content/connect-content.ts';
import { ButtonLink } from './button-link.tsx';
import { Icon } from './icons.tsx';
import { NamedText } from './named-text.tsx';
import { RecordCard } from './record-card.tsx';

/** Renders what the customer does with the records, as numbered actions. */
export function RecordsPanel(input: { block: RecordsBlock; names: readonly string[] }): ReactElement {
  const { block, names } = input;
  const { title, one_click: oneClick, ways, caution } = block;
  return (
    <section className="card" id="records" data-live="" aria-labelledby="records-title" part="records">
      <h2 id="records-title">{title}</h2>
      {oneClick && (
        <div className="oneclick">
          <p>{oneClick.text}</p>
          <ButtonLink link={oneClick.link} look="primary" names={names} reveals="one-click-waits" />
          <p id="one-click-waits" className="notice wait" hidden>
            {oneClick.waits}
          </p>
          <p className="small muted">{oneClick.alternative}</p>
        </div>
      )}
      <ol className="ways">
        {ways.map((way, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two actions can be equal, and nothing is ever rendered twice.
          <WayItem key={index} way={way} at={index} look={oneClick ? 'secondary' : 'primary'} names={names} />
        ))}
      </ol>
      {caution !== null && (
        <p className="heed" part="caution">
          <Icon name="warn" />
          <span>{caution}</span>
        </p>
      )}
    </section>
  );
}

function WayItem(input: {
  way: Way;
  at: number;
  look: 'primary' | 'secondary';
  names: readonly string[];
}): ReactElement {
  const { way, at, look, names } = input;
  const { title, link, records, text } = way;
  return (
    <li part="way">
      <p className="what">
        <b>
          <NamedText text={title} names={names} />
        </b>
        {link && <ButtonLink link={link} look={look} names={names} />}
      </p>
      {records.map((record, index) => (
        <RecordCard key={JSON.stringify(record)} record={record} id={`${at + index}`} names={names} />
      ))}
      {text !== null && (
        <small>
          <NamedText text={text} names={names} />
        </small>
      )}
    </li>
  );
}
