import type { ReactElement } from 'react';
import type { ShownSubscription } from '../operations/connect/mail-subscriptions.ts';
import { HostnameText } from './panels/hostname-text.tsx';
import { MessageView } from './panels/message-view.tsx';

interface Input {
  subscription: ShownSubscription;
  /** Of the subscription, without a final slash. */
  path: string;
}

/** Asks the reader of an address whether the mail is wanted, and says so afterwards. */
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
        <p>You get one e-mail {connected}. You can close this page.</p>
        <Unsubscribe path={path} label="Do not e-mail me after all" />
      </MessageView>
    );
  }
  return (
    <MessageView tone="waiting" headline="Shall we e-mail you?">
      <p>We send you one e-mail {connected}, and nothing else.</p>
      <div className="actions">
        <form method="post" action={path}>
          <button type="submit" className="primary">
            Yes, e-mail me
          </button>
        </form>
        <Unsubscribe path={path} label="I did not ask for this" />
      </div>
    </MessageView>
  );
}

export function UnsubscribeView({ subscription, path }: Input): ReactElement {
  return (
    <MessageView tone="quiet" headline="No more e-mail?">
      <p>
        We then send you nothing more about{' '}
        <strong>
          <HostnameText hostname={subscription.hostname} />
        </strong>
        , and delete your address.
      </p>
      <Unsubscribe path={path} label="Do not e-mail me" />
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
