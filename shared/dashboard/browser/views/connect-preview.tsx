import type { ReactElement } from 'react';
import type { DomainResource } from '../../../schema/domain.ts';
import type { ConnectPreview as Preview } from '../../responses.ts';
import { useResource } from '../ask.ts';
import { CopyTextButton } from '../parts/copy-text.tsx';
import { Section } from '../parts/facts.tsx';
import { useScope } from '../scope.ts';

/** Shows the link to the connect page of a domain, and the texts that the customer reads there now. */
export function ConnectPreviewView({ of: { id, connect_url } }: { of: DomainResource }): ReactElement {
  const { app } = useScope();
  const path = `/apps/${encodeURIComponent(app.id)}/connect-preview/${encodeURIComponent(id)}`;
  const { value } = useResource<Preview>(path);
  const { steps = [], steps_done: done = null } = value ?? {};
  return (
    <Section title="Connect page">
      <p className="muted small">For your customer, without a sign-in</p>
      <p className="address">
        <code>{connect_url.replace(/^https?:\/\//, '')}</code>
      </p>
      <CopyTextButton text={connect_url} what="the link to the connect page" word="Copy the link" />
      {value === null ? null : (
        <figure className="preview">
          <figcaption className="muted small">Your customer reads this, in their own language:</figcaption>
          <blockquote className={value.tone}>
            <p>
              <strong>{value.headline}</strong>
            </p>
            <p>{value.text}</p>
            {done === null ? null : (
              <p className="muted">
                {done} of {steps.length} steps done
                {done === steps.length ? '' : `; the next is: ${steps[done]}`}
              </p>
            )}
            {value.findings.map((title) => (
              <p key={title}>{title}</p>
            ))}
          </blockquote>
        </figure>
      )}
    </Section>
  );
}
