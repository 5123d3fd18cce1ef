import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import { HeaderTable } from '../../../../shared/dashboard/browser/parts/event-content.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { ResponsePill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import type { ReplayResponse, RequestAtEdge } from '../../responses.ts';
import { askEmulator } from '../ask.ts';

/** Shows one request at the edge, with the headers that the origin received. */
export function RequestDetail({ of }: { of: RequestAtEdge }): ReactElement {
  const [response, setResponse] = useState<ReplayResponse | null>(null);
  const { request_id: id, method, host, path, status, domain_id, headers, at } = of;

  async function replay(): Promise<string> {
    const replayed = await askEmulator<ReplayResponse>(`POST /requests/${encodeURIComponent(id)}/replay`, {});
    setResponse(replayed);
    return `Sent again. The response is ${replayed.status}.`;
  }

  return (
    <>
      <DetailHead
        title={`${method} ${path}`}
        look="mono"
        state={<ResponsePill status={status} />}
        actions={
          host === null ? undefined : (
            <CommandButton
              className="btn lead"
              data-main=""
              work={replay}
              title="Sends it without its body, which is not stored"
            >
              <Icon name="retry" /> Replay
            </CommandButton>
          )
        }
      >
        <p className="now">
          <span>
            {host ?? 'No host that can be read'}, <SinceText at={at} />
          </span>
          {domain_id === null ? null : (
            // The emulator redirects to the domain's app and mode, which may differ from the app and mode of this page.
            <a href={`/_emulator/ui/domains/${encodeURIComponent(domain_id)}`}>
              <code>{domain_id}</code>
            </a>
          )}
          <CopyText text={id} what="the id" />
        </p>
      </DetailHead>
      {response === null ? null : <Replayed response={response} />}
      <Section title="Headers as forwarded">
        {headers.length === 0 ? (
          <p className="muted">The edge responded by itself and forwarded nothing.</p>
        ) : (
          <HeaderTable headers={headers} />
        )}
      </Section>
    </>
  );
}

function Replayed({ response }: { response: ReplayResponse }): ReactElement {
  return (
    <Section title="Response to the replay" aside={<ResponsePill status={response.status} />}>
      <HeaderTable headers={response.headers} />
      {response.body === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
        <pre tabIndex={0}>
          {response.body}
          {response.body_cut ? '\n…' : ''}
        </pre>
      )}
    </Section>
  );
}
