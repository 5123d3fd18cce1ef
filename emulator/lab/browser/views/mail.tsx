import type { ReactElement } from 'react';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import { Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { OutLink } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { Cells } from '../../../../shared/dashboard/browser/parts/row-list.tsx';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import { SearchedList } from '../parts/searched-list.tsx';

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
  return (
    <SearchedList<CapturedMail>
      view="mail"
      title="Mail"
      noun="mail"
      searched="Address or subject"
      path="/mail"
      idOf={(row) => row.message_id}
      textOf={({ to, subject }) => `${to} ${subject}`}
      draw={MailRow}
      hint="Customers ask for mail on a domain's connect page. The emulator shows it here and does not send it."
      detail={(row) => <MailDetail of={row} key={row.message_id} />}
    />
  );
}

function MailRow({ to, subject, at }: CapturedMail): ReactElement {
  return <Cells name={subject} more={to} at={at} />;
}

function MailDetail({ of }: { of: CapturedMail }): ReactElement {
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
