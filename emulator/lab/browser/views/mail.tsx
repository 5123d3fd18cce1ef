import type { ReactElement } from 'react';
import { usePlace } from '../../../../shared/dashboard/browser/navigation.ts';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import { Empty, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { OutLink } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { ListHead, SearchField } from '../../../../shared/dashboard/browser/parts/list-head.tsx';
import { ListPane, WholeRows } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { useFilter } from '../../../../shared/dashboard/browser/router.ts';
import { useViewPath } from '../../../../shared/dashboard/browser/scope.ts';
import { SinceText, TimeLabel } from '../../../../shared/dashboard/browser/times.tsx';
import { useEmulatorResource } from '../ask.ts';

interface CapturedMail {
  at: string;
  to: string;
  subject: string;
  text: string;
  message_id: string;
  unsubscribe_url: string | null;
}

/** Lists the mails that the service would have sent. */
export function MailView(): ReactElement {
  const { id } = usePlace();
  const viewPath = useViewPath();
  const [query, setFilter] = useFilter();
  const { value } = useEmulatorResource<{ data: CapturedMail[] }>('/mail');
  const search = (query['search'] ?? '').trim().toLowerCase();
  const rows =
    value?.data.filter(({ to, subject }) => `${to} ${subject}`.toLowerCase().includes(search)) ?? null;
  const list = (
    <>
      <ListHead title="Mail" total={rows?.length ?? null}>
        <SearchField
          label="Address or subject"
          value={query['search'] ?? ''}
          onChange={(text) => setFilter('search', text)}
        />
      </ListHead>
      <WholeRows<CapturedMail>
        label="Captured mail"
        rows={rows}
        openId={id}
        idOf={(row) => row.message_id}
        hrefOf={(row) => viewPath('mail', row.message_id, query)}
        draw={MailRow}
        empty={
          <Empty title={search === '' ? 'No mail yet' : 'No mail matches this filter.'}>
            {search === '' ? (
              <p>
                Customers ask for mail on a domain's connect page. The emulator shows it here and does not
                send it.
              </p>
            ) : null}
          </Empty>
        }
      />
    </>
  );
  const opened = id === null ? undefined : value?.data.find(({ message_id }) => message_id === id);
  const detail = id === null || value === null ? null : <MailDetail of={opened ?? null} key={id} />;
  return <ListPane list={list} detail={detail} />;
}

function MailRow({ to, subject, at }: CapturedMail): ReactElement {
  return (
    <>
      <span className="row-main">{subject}</span>
      <span className="row-state" />
      <span className="row-more">{to}</span>
      <span className="row-time">
        <TimeLabel at={at} />
      </span>
    </>
  );
}

function MailDetail({ of }: { of: CapturedMail | null }): ReactElement {
  if (of === null) {
    return (
      <>
        <DetailHead title="Mail" />
        <Empty title="This mail is no longer stored. The emulator keeps the newest 1000 until a reset." />
      </>
    );
  }
  return (
    <>
      <DetailHead title={of.subject}>
        <p className="now">
          <span>
            To {of.to}, <SinceText at={of.at} />
          </span>
          {of.unsubscribe_url === null ? null : <OutLink href={of.unsubscribe_url}>Unsubscribe</OutLink>}
        </p>
      </DetailHead>
      <Section title="Text">
        <div className="mail-text">{linked(of.text)}</div>
      </Section>
    </>
  );
}

/** Turns the URLs in a text into links. */
function linked(text: string): (ReactElement | string)[] {
  const parts = text.split(/(https?:\/\/\S+)/).map((part, place) => ({ part, place }));
  return parts.map(({ part, place }) =>
    place % 2 === 0 ? (
      part
    ) : (
      <OutLink key={place} href={part}>
        {part}
      </OutLink>
    ),
  );
}
