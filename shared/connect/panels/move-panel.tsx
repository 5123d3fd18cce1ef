import type { ReactElement } from 'react';
import type { DnsRecord } from '../../core/dns/dns-records.ts';
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
  const { page, language } = view;
  const { page: texts } = language.texts;
  const { acme_challenge: record, www_acme_challenge: wwwRecord } = page.dns;
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
  const ofFirst = (field: string) => fill(texts.whatFieldOfFirst, { field });
  const www = `www.${page.hostname}`;
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
          <ChallengeRecord view={view} id="move" record={record} what={ofFirst} />
          {wwwRecord === null ? null : (
            <>
              <p>
                <Filled text={texts.moveWww} values={{ hostname: <HostnameText hostname={www} /> }} />
              </p>
              <ChallengeRecord
                view={view}
                id="move-www"
                record={wwwRecord}
                what={(field) => fill(texts.whatFieldOf, { field, at: www })}
              />
            </>
          )}
        </div>
      </details>
    </section>
  );
}

/** @param what returns the name of one of its fields, for screen readers. */
function ChallengeRecord({
  view: { language, guide },
  id,
  record,
  what,
}: {
  view: View;
  id: string;
  record: DnsRecord;
  what: (field: string) => string;
}): ReactElement {
  const { fieldType, fieldName, fieldValue } = language.texts.page;
  const labels = guide.records[0]?.fields.map(({ label }) => label) ?? [];
  const [type = fieldType, name = fieldName, value = fieldValue] = labels;
  return (
    <div className="record">
      <dl>
        <Field language={language} id={`${id}-type`} label={type} value="CNAME" copy={false} what="" />
        <Field
          language={language}
          id={`${id}-name`}
          label={name}
          value={record.name}
          copy
          what={what(name)}
        />
        <Field
          language={language}
          id={`${id}-value`}
          label={value}
          value={record.value}
          copy
          what={what(value)}
        />
      </dl>
    </div>
  );
}
