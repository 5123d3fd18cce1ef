import type { ReactElement } from 'react';
import type { ShownSubscription } from '../operations/connect/mail-subscriptions.ts';
import { HostnameText } from './panels/hostname-text.tsx';
import { MessageView } from './panels/message-view.tsx';

interface Input {
  subscription: ShownSubscription;
  /** Path of the subscription, without a trailing slash. */
  path: string;
}

/** Asks the recipient to confirm the address, and says afterwards that it is confirmed. */
export function ConfirmView({ subscription, path }: Input): ReactElement {
  const { hostname, app_name, state } = subscription;
  const connected = (
    <>
      when{' '}
      <strong>
        <HostnameText hostname={hostname} />
      </strong>{' '}
      is connected to <bdi>{app_name}</bdi>
    </>
  );
  if (state === 'confirmed') {
    return (
      <MessageView tone="good" headline="Your address is confirmed">
        <p>You will get one email {connected}. You can close this page.</p>
        <Unsubscribe path={path} label="Do not email me after all" />
      </MessageView>
    );
  }
  return (
    <MessageView tone="waiting" headline="Do you want us to email you?">
      <p>We will send you one email {connected}, and nothing else.</p>
      <div className="actions">
        <form method="post" action={path}>
          <button type="submit" className="primary">
            Yes, email me
          </button>
        </form>
        <Unsubscribe path={path} label="I did not ask for this" />
      </div>
    </MessageView>
  );
}

export function UnsubscribeView({ subscription, path }: Input): ReactElement {
  return (
    <MessageView tone="quiet" headline="Stop emails?">
      <p>
        We will send you nothing more about{' '}
        <strong>
          <HostnameText hostname={subscription.hostname} />
        </strong>
        , and will delete your address.
      </p>
      <Unsubscribe path={path} label="Stop emails" />
    </MessageView>
  );
}

function Unsubscribe({ path, label }: { path: string; label: string }): ReactElement {
  return (
    <form method="post" action={`${path}/unsubscribe`}>
      <button type="submit">{label}</button>
    </form>
  );
}
