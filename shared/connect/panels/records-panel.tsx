import type { ReactElement } from 'react';
import type { ContentLink, RecordsBlock } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { Card, Folded } from './card.tsx';
import { Icon } from './icons.tsx';
import { ProviderPicker } from './provider-picker.tsx';
import { RecordCard } from './record-card.tsx';

/** Renders the records and how to set them. */
export function RecordsPanel({ block, view }: { block: RecordsBlock | null; view: View }): ReactElement {
  if (block === null) return <div id="records" data-live="" />;
  const { title, is_folded, one_click, panel, records, caution, steps, providers } = block;
  const list = steps && (
    <ol className="way">
      {steps.list.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
  return (
    <Card id="records" title={title} isFolded={is_folded}>
      {one_click && <OneClick of={one_click} />}
      {panel && <OutLink link={panel} />}
      <div className="list">
        {records.map((record, index) => (
          <RecordCard
            key={JSON.stringify(record)}
            record={record}
            heading="h3"
            id={String(index + 1)}
            page={view.page}
          />
        ))}
      </div>
      {caution === null ? null : (
        <p className="caution">
          <Icon name="warn" />
          <span>{caution}</span>
        </p>
      )}
      {steps?.title ? <Folded title={steps.title}>{list}</Folded> : list}
      {providers && <ProviderPicker of={providers} view={view} />}
    </Card>
  );
}

function OneClick({ of }: { of: NonNullable<RecordsBlock['one_click']> }): ReactElement {
  return (
    <div className="oneclick">
      <p>{of.text}</p>
      <OutLink link={of.link} reveals="one-click-waits" />
      <p id="one-click-waits" className="notice waiting" hidden>
        {of.waits}
      </p>
      <p className="small">{of.alternative}</p>
    </div>
  );
}

/** @param reveals the id of a part that the script shows after a click. */
function OutLink({ link, reveals }: { link: ContentLink; reveals?: string }): ReactElement {
  return (
    <a
      className={reveals === undefined ? 'button' : 'button primary'}
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
