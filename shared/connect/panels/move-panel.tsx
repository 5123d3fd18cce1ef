import { Fragment, type ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { MoveBlock } from '../content/connect-content.ts';
import { Card } from './card.tsx';
import { NamedText } from './hostname-text.tsx';
import { RecordCard } from './record-card.tsx';

/** Renders the record that permits a certificate before the hostname moves, or says that the certificate is ready. */
export function MovePanel({ block, page }: { block: MoveBlock | null; page: ConnectPage }): ReactElement {
  if (block === null) return <div id="move" data-live="" />;
  const { title, is_folded, parts } = block;
  return (
    <Card id="move" title={<NamedText text={title} page={page} />} isFolded={is_folded}>
      {parts.map(({ text, record }, index) => (
        <Fragment key={text}>
          <p>
            <NamedText text={text} page={page} />
          </p>
          {record && <RecordCard record={record} heading="h3" id={`move-${index + 1}`} page={page} />}
        </Fragment>
      ))}
    </Card>
  );
}
