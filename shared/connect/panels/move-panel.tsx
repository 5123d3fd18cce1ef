import type { ReactElement } from 'react';
import { isAwaitingDns } from '../../core/domains/status.ts';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import { recordWord } from '../status-words.ts';
import { Field } from './field.tsx';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/** Offers the record that permits a certificate before the hostname moves (`docs/moving-in.md`), and tells when the certificate is there. */
export function MovePanel({ page }: { page: ConnectPage }): ReactElement {
  const { acme_challenge: record } = page.dns;
  if (record === null || !isAwaitingDns(page.status)) return <div id="move" data-live="" />;
  if (page.ready_to_switch) {
    return (
      <section className="card" id="move" data-live="" aria-labelledby="move-title">
        <h2 id="move-title">You can switch at any time</h2>
        <p>
          The certificate for <HostnameText hostname={page.hostname} /> is in place. Your visitors will not
          notice the change of the {recordWord(page)}.
        </p>
      </section>
    );
  }
  const labels = page.guide.records[0]?.fields.map(({ label }) => label) ?? [];
  const [type = 'Type', name = 'Name', value = 'Value'] = labels;
  return (
    <section className="card" id="move" data-live="">
      <details>
        <summary>
          <Icon name="chevron" />
          Does the domain have visitors today?
        </summary>
        <div className="inside">
          <p>
            Then add this record first. It changes nothing for your visitors, and lets us prepare the
            certificate before you change the {recordWord(page)} above.
          </p>
          <div className="record">
            <dl>
              <Field id="move-type" label={type} value="CNAME" copy={false} what={`the ${type}`} />
              <Field
                id="move-name"
                label={name}
                value={record.name}
                copy
                what={`the ${name} of the first record`}
              />
              <Field
                id="move-value"
                label={value}
                value={record.value}
                copy
                what={`the ${value} of the first record`}
              />
            </dl>
          </div>
        </div>
      </details>
    </section>
  );
}
