import type { ReactElement } from 'react';
import type { DomainResource } from '../../../schema/domain.ts';
import type { ConnectPreview as Preview } from '../../responses.ts';
import { useResource } from '../ask.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Section } from '../parts/facts.tsx';
import { OutLink } from '../parts/link.tsx';
import { useScope } from '../scope.ts';

/** Links to the connect page of a domain, and shows the texts that the customer reads there now. */
export function ConnectPreviewView({ of: { id, connect_url } }: { of: DomainResource }): ReactElement {
  const { app } = useScope();
  const path = `/apps/${encodeURIComponent(app.id)}/connect-preview/${encodeURIComponent(id)}`;
  const { value } = useResource<Preview>(path);
  return (
    <Section title="Connect page">
      <p>Your customer opens this page to set the records. It needs no sign-in.</p>
      <p className="actions">
        <CopyText text={connect_url} what="the link to the connect page" />
        <OutLink href={connect_url}>Open it</OutLink>
      </p>
      {value === null ? null : (
        <figure className="preview">
          <figcaption className="muted">Your customer reads there now, in their own language</figcaption>
          <blockquote className={value.tone}>
            <p>
              <strong>{value.headline}</strong>
            </p>
            <p>{value.text}</p>
            {value.steps_done === null ? null : <Steps of={value.steps} done={value.steps_done} />}
            {value.findings.map((title) => (
              <p key={title}>{title}</p>
            ))}
          </blockquote>
        </figure>
      )}
    </Section>
  );
}

function Steps({ of, done }: { of: readonly string[]; done: number }): ReactElement {
  return (
    <p className="muted">
      {done} of {of.length} steps done{done === of.length ? '' : `; the next is: ${of[done]}`}
    </p>
  );
}
