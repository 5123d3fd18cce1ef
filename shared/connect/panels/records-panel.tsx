import type { ReactElement } from 'react';
import type { ContentLink, RecordsBlock, Way } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { NamedText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';
import { RecordCard } from './record-card.tsx';

/** Renders what the customer does with the records, as numbered actions. */
export function RecordsPanel({ block, view }: { block: RecordsBlock | null; view: View }): ReactElement {
  if (block === null) return <div id="records" data-live="" />;
  const { title, one_click, ways, caution } = block;
  return (
    <section className="card" id="records" data-live="" aria-labelledby="records-title">
      <h2 id="records-title">{title}</h2>
      {one_click && <OneClick of={one_click} />}
      <ol className="ways">
        {ways.map((way, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two actions can be equal, and nothing is ever rendered twice.
          <WayItem key={index} way={way} at={index} isMain={one_click === null} view={view} />
        ))}
      </ol>
      {caution === null ? null : (
        <p className="heed">
          <Icon name="warn" />
          <span>{caution}</span>
        </p>
      )}
    </section>
  );
}

function WayItem(input: { way: Way; at: number; isMain: boolean; view: View }): ReactElement {
  const { way, at, isMain, view } = input;
  const { title, link, records, text } = way;
  return (
    <li>
      <p className="what">
        <b>
          <NamedText text={title} page={view.page} />
        </b>
        {link && <OutLink link={link} isMain={isMain} />}
      </p>
      {records.map((record, index) => (
        <RecordCard key={JSON.stringify(record)} record={record} id={`${at + index}`} page={view.page} />
      ))}
      {text === null ? null : (
        <small>
          <NamedText text={text} page={view.page} />
        </small>
      )}
    </li>
  );
}

function OneClick({ of }: { of: NonNullable<RecordsBlock['one_click']> }): ReactElement {
  return (
    <div className="oneclick">
      <p>{of.text}</p>
      <OutLink link={of.link} isMain={true} reveals="one-click-waits" />
      <p id="one-click-waits" className="notice wait" hidden>
        {of.waits}
      </p>
      <p className="small muted">{of.alternative}</p>
    </div>
  );
}

/** @param input.reveals the id of a part that the script shows after a click. */
function OutLink(input: { link: ContentLink; isMain: boolean; reveals?: string }): ReactElement {
  const { link, isMain, reveals } = input;
  return (
    <a
      className={isMain ? 'btn lead' : 'btn'}
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      data-reveals={reveals}
    >
      {link.text}
      <Icon name="out" />
    </a>
  );
}
