import type { ReactElement } from 'react';
import { fill, forCount } from '../../core/languages/text.ts';
import { recordCount } from '../record-count.ts';
import { forRecords, type View } from '../view.ts';
import { Field } from './field.tsx';
import { Filled } from './filled.tsx';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/**
 * Offers the record that permits a certificate before the hostname moves (`docs/moving-in.md`), and tells when the certificate is there. Once a
 * check has found the record of the hostname, the move has begun: the panel is empty.
 */
export function MovePanel({ view }: { view: View }): ReactElement {
  const { page, language, guide } = view;
  const { page: texts } = language.texts;
  const { acme_challenge: record } = page.dns;
  if (record === null || page.status !== 'pending_dns') return <div id="move" data-live="" />;
  if (page.ready_to_switch) {
    return (
      <section className="card" id="move" data-live="" aria-labelledby="move-title">
        <h2 id="move-title">{texts.switchTitle}</h2>
        <p>
          <Filled
            text={forCount(language.tag, texts.switchText, recordCount(page))}
            values={{ hostname: <HostnameText hostname={page.hostname} /> }}
          />
        </p>
      </section>
    );
  }
  const labels = guide.records[0]?.fields.map(({ label }) => label) ?? [];
  const [type = texts.fieldType, name = texts.fieldName, value = texts.fieldValue] = labels;
  const what = (field: string) => fill(texts.whatFieldOfFirst, { field });
  return (
    <section className="card" id="move" data-live="">
      <details>
        <summary>
          <Icon name="chevron" />
          <span>
            <Filled text={texts.moveTitle} values={{ hostname: <HostnameText hostname={page.hostname} /> }} />
          </span>
        </summary>
        <div className="inside">
          <p>{forRecords(view, texts.moveText)}</p>
          <div className="record">
            <dl>
              <Field language={language} id="move-type" label={type} value="CNAME" copy={false} what="" />
              <Field
                language={language}
                id="move-name"
                label={name}
                value={record.name}
                copy
                what={what(name)}
              />
              <Field
                language={language}
                id="move-value"
                label={value}
                value={record.value}
                copy
                what={what(value)}
              />
            </dl>
          </div>
        </div>
      </details>
    </section>
  );
}
