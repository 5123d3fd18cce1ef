import type { ReactElement } from 'react';
import type { Language } from '../core/connect-texts/catalog.ts';
import type { ShownSubscription } from '../operations/connect/mail-subscriptions.ts';
import { type PageAddress, pageLink } from './page-path.ts';
import { Filled } from './panels/filled.tsx';
import { MessageView } from './panels/message-view.tsx';
import { HostnameText } from './panels/named-text.tsx';

interface Input {
  subscription: ShownSubscription;
  address: PageAddress;
  language: Language;
}

/** Renders the page that asks the recipient to confirm the address or, afterwards, says that the address is confirmed. */
export function ConfirmView({ subscription, address, language }: Input): ReactElement {
  const { messages } = language.texts;
  const values = namesOf(subscription);
  if (subscription.state === 'confirmed') {
    return (
      <MessageView tone="good" headline={messages.confirmedTitle}>
        <p>
          <Filled text={messages.confirmedText} values={values} />
        </p>
        <Unsubscribe address={address} label={messages.confirmedNo} />
      </MessageView>
    );
  }
  return (
    <MessageView tone="wait" headline={messages.confirmTitle}>
      <p>
        <Filled text={messages.confirmText} values={values} />
      </p>
      <div className="open">
        <form method="post" action={pageLink(address)}>
          <button type="submit" className="btn lead">
            {messages.confirmYes}
          </button>
        </form>
        <Unsubscribe address={address} label={messages.confirmNo} />
      </div>
    </MessageView>
  );
}

export function UnsubscribeView({ subscription, address, language }: Input): ReactElement {
  const { messages } = language.texts;
  return (
    <MessageView tone="quiet" headline={messages.stopTitle}>
      <p>
        <Filled text={messages.stopText} values={namesOf(subscription)} />
      </p>
      <Unsubscribe address={address} label={messages.stopButton} />
    </MessageView>
  );
}

function namesOf({ hostname, app_name }: ShownSubscription): Record<'hostname' | 'app', ReactElement> {
  return {
    hostname: (
      <strong>
        <HostnameText hostname={hostname} />
      </strong>
    ),
    app: <bdi>{app_name}</bdi>,
  };
}

function Unsubscribe({ address, label }: { address: PageAddress; label: string }): ReactElement {
  return (
    <form method="post" action={pageLink(address, '/unsubscribe')}>
      <button type="submit">{label}</button>
    </form>
  );
}
