import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import type { ReplayAnswer, RequestAtEdge } from '../../answers.ts';
import { ask } from '../ask.ts';
import { pathTo } from '../navigation.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { DeedButton } from '../parts/deed.tsx';
import { DetailHead } from '../parts/detail-head.tsx';
import { Empty, Facts, Section } from '../parts/facts.tsx';
import { HeaderTable } from '../parts/header-table.tsx';
import { Link } from '../parts/link.tsx';
import { AnswerPill } from '../parts/pill.tsx';
import { SinceText } from '../times.tsx';

/** One request at the edge, with the headers as the origin got them. @param of null where it is no longer kept. */
export function RequestDetail({ id, of }: { id: string; of: RequestAtEdge | null }): ReactElement {
  const [answer, setAnswer] = useState<ReplayAnswer | null>(null);
  if (of === null) {
    return (
      <>
        <DetailHead title={id} />
        <Empty title="This request is not kept: the newest 1000 are, until a reset." />
      </>
    );
  }
  const { method, host, path, status, domain_id, headers, at } = of;

  async function replay(): Promise<string> {
    const answered = await ask<ReplayAnswer>(`POST /requests/${encodeURIComponent(id)}/replay`, {});
    setAnswer(answered);
    return `It was sent again; the answer is ${answered.status}.`;
  }

  return (
    <>
      <DetailHead
        title={`${method} ${path}`}
        state={<AnswerPill status={status} />}
        actions={
          host === null ? undefined : (
            <DeedButton
              className="primary"
              data-main=""
              work={replay}
              title="Without its body, which is not kept"
            >
              <Icon name="again" /> Replay
            </DeedButton>
          )
        }
      />
      <Section title="Facts">
        <Facts
          of={[
            ['Id', <CopyText key="id" text={id} what="the id" />],
            ['Host', host ?? 'none that could be read'],
            ['Seen', <SinceText key="at" at={at} />],
            [
              'Domain',
              domain_id && (
                <Link href={pathTo('domains', domain_id)}>
                  <code>{domain_id}</code>
                </Link>
              ),
            ],
          ]}
        />
      </Section>
      {answer === null ? null : <Replayed answer={answer} />}
      <Section title="Headers as forwarded">
        {headers.length === 0 ? (
          <p className="muted">Nothing was forwarded: the edge answered by itself.</p>
        ) : (
          <HeaderTable headers={headers} />
        )}
      </Section>
    </>
  );
}

function Replayed({ answer }: { answer: ReplayAnswer }): ReactElement {
  return (
    <Section title="Answer to the replay" aside={<AnswerPill status={answer.status} />}>
      <HeaderTable headers={answer.headers} />
      {answer.body === '' ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre tabIndex={0}>
          {answer.body}
          {answer.body_cut ? '\n…' : ''}
        </pre>
      )}
    </Section>
  );
}
