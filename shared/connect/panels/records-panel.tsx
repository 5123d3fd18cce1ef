import type { ReactElement } from 'react';
import type { FormField, ProviderSteps, RecordForm } from '../../core/providers/provider-steps.ts';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import { recordWord, type StatusWords } from '../status-words.ts';
import { Field } from './field.tsx';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/** Renders the records and how to set them, with the provider's own steps and field names. */
export function RecordsPanel({ page, words }: { page: ConnectPage; words: StatusWords }): ReactElement {
  if (words.records === null) return <div id="records" data-live="" />;
  if (words.records === 'keep' || words.records === 'remove') {
    return (
      <section className="card" id="records" data-live="">
        <details>
          <summary>
            <Icon name="chevron" />
            {words.records === 'keep'
              ? `DNS ${recordWord(page)} for this connection`
              : `DNS ${recordWord(page)} that you can delete`}
          </summary>
          <div className="inside">
            <Records page={page} />
          </div>
        </details>
      </section>
    );
  }
  const { provider_name, records } = page.guide;
  const count = records.length === 1 ? 'this record' : `these ${records.length} records`;
  return (
    <section className="card" id="records" data-live="" aria-labelledby="records-title">
      <h2 id="records-title">
        {words.records === 'add' ? 'Add' : 'Set'} {count} at {provider_name ?? 'your DNS provider'}
      </h2>
      <OneClick page={page} />
      <PanelLink guide={page.guide} />
      <Records page={page} />
      <Way guide={page.guide} />
    </section>
  );
}

function OneClick({ page }: { page: ConnectPage }): ReactElement | null {
  if (page.one_click_url === null) return null;
  const provider = page.guide.provider_name ?? 'your DNS provider';
  return (
    <div className="oneclick">
      <p>
        Sign in to {provider} and confirm. It adds the {recordWord(page)} for you, and you return to this
        page.
      </p>
      <a className="button primary" href={page.one_click_url} rel="noopener noreferrer">
        Connect automatically with {provider}
        <Icon name="outside" />
      </a>
      <p className="small">Or add the {recordWord(page)} yourself:</p>
    </div>
  );
}

function PanelLink({ guide: { provider_name, panel_url } }: { guide: ProviderSteps }): ReactElement | null {
  if (panel_url === null) return null;
  return (
    <a className="button" href={panel_url} target="_blank" rel="noopener noreferrer">
      Open {provider_name}
      <Icon name="outside" />
    </a>
  );
}

/** Renders what to look out for, and the steps in the provider's panel, folded. */
function Way({ guide: { steps, caution } }: { guide: ProviderSteps }): ReactElement {
  return (
    <>
      {caution === null ? null : (
        <p className="caution">
          <Icon name="warning" />
          <span>{caution}</span>
        </p>
      )}
      <details>
        <summary>
          <Icon name="chevron" />
          Show me how, step by step
        </summary>
        <div className="inside">
          <ol className="way">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      </details>
    </>
  );
}

function Records({ page }: { page: ConnectPage }): ReactElement {
  const { records } = page.guide;
  return (
    <div className="list">
      {records.map((record, index) => (
        <RecordCard
          key={JSON.stringify(record)}
          page={page}
          record={record}
          place={records.length > 1 ? { at: index + 1, of: records.length } : null}
        />
      ))}
    </div>
  );
}

function RecordCard(input: {
  page: ConnectPage;
  record: RecordForm;
  place: { at: number; of: number } | null;
}): ReactElement {
  const { page, record, place } = input;
  const of = place === null ? '' : ` of record ${place.at}`;
  return (
    <div className="record">
      {place === null ? null : (
        <h3>
          Record {place.at} of {place.of}
        </h3>
      )}
      <dl>
        {record.fields.map((field, index) => (
          <Field
            key={field.label}
            id={`${place?.at ?? 1}-${index + 1}`}
            {...field}
            what={`the ${field.label}${of}`}
            tip={index === NAME ? nameTip(field, page.registrable) : null}
          />
        ))}
      </dl>
    </div>
  );
}

/** Index of the name field. The fields are type, name and value. */
const NAME = 1;

/** Returns a tip for the name field, where the most common mistake is to enter the whole hostname. */
function nameTip({ value, copy }: FormField, registrable: string): ReactElement {
  const domain = <HostnameText hostname={registrable} />;
  return value === '@' || !copy ? (
    <>This stands for {domain} itself.</>
  ) : (
    <>Enter exactly this; don't add {domain}.</>
  );
}
