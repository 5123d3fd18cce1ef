import type { ReactElement } from 'react';
import { fill } from '../../core/languages/text.ts';
import { forRecords, type View } from '../view.ts';
import { Icon } from './icons.tsx';
import { ProviderPicker } from './provider-picker.tsx';
import { RecordList } from './record-list.tsx';

/** Renders the records and how to set them, with the provider's own steps and field names. */
export function RecordsPanel({ view }: { view: View }): ReactElement {
  const { words, guide, language, findings } = view;
  const { page: texts } = language.texts;
  if (words.records === null) return <div id="records" data-live="" />;
  if (words.records === 'keep' || words.records === 'remove') {
    const title = words.records === 'keep' ? texts.keptRecords : texts.removableRecords;
    return <FoldedRecords view={view} title={forRecords(view, title)} />;
  }
  // A change says everything about its record, so the whole record is only for reference.
  const [first] = findings;
  if (first?.isFault === true && first.changes.length > 0)
    return <FoldedRecords view={view} title={forRecords(view, texts.wholeRecords)} hasSteps />;
  const provider = guide.provider_name ?? texts.yourProvider;
  const title = words.records === 'add' ? texts.addRecords : texts.setRecords;
  return (
    <section className="card" id="records" data-live="" aria-labelledby="records-title">
      <h2 id="records-title">{forRecords(view, title, { provider })}</h2>
      <OneClick view={view} />
      <PanelLink view={view} />
      <RecordList view={view} />
      <Caution caution={guide.caution} />
      <Steps view={view} />
      <ProviderPicker view={view} />
    </section>
  );
}

function FoldedRecords(input: { view: View; title: string; hasSteps?: boolean }): ReactElement {
  const { view, title, hasSteps = false } = input;
  return (
    <section className="card" id="records" data-live="">
      <details>
        <summary>
          <Icon name="chevron" />
          {title}
        </summary>
        <div className="inside">
          {hasSteps ? <PanelLink view={view} /> : null}
          <RecordList view={view} />
          {hasSteps ? <Caution caution={view.guide.caution} /> : null}
          {hasSteps ? <StepList steps={view.guide.steps} /> : null}
        </div>
      </details>
    </section>
  );
}

function OneClick({ view }: { view: View }): ReactElement | null {
  const { page, guide, language } = view;
  const { page: texts } = language.texts;
  // The link leads to the provider that serves the zone, whichever guide the visitor has chosen.
  if (page.one_click_url === null || view.address.choice.provider !== null) return null;
  const provider = guide.provider_name ?? texts.yourProvider;
  return (
    <div className="oneclick">
      <p>{forRecords(view, texts.oneClickText, { provider })}</p>
      <a
        className="button primary"
        href={page.one_click_url}
        target="_blank"
        rel="noopener noreferrer"
        data-reveals="one-click-waits"
      >
        {fill(texts.oneClickButton, { provider })}
        <Icon name="outside" />
      </a>
      <p id="one-click-waits" className="notice waiting" hidden>
        {fill(texts.oneClickWaits, { provider })}
      </p>
      <p className="small">{forRecords(view, texts.oneClickElse)}</p>
    </div>
  );
}

function PanelLink({ view: { guide, language } }: { view: View }): ReactElement | null {
  const { provider_name, panel_url } = guide;
  if (panel_url === null || provider_name === null) return null;
  return (
    <a className="button" href={panel_url} target="_blank" rel="noopener noreferrer">
      {fill(language.texts.page.openProvider, { provider: provider_name })}
      <Icon name="outside" />
    </a>
  );
}

function Caution({ caution }: { caution: string | null }): ReactElement | null {
  if (caution === null) return null;
  return (
    <p className="caution">
      <Icon name="warning" />
      <span>{caution}</span>
    </p>
  );
}

/** Renders the steps in the provider's panel, folded. */
function Steps({ view: { guide, language } }: { view: View }): ReactElement {
  return (
    <details>
      <summary>
        <Icon name="chevron" />
        {language.texts.page.showMeHow}
      </summary>
      <div className="inside">
        <StepList steps={guide.steps} />
      </div>
    </details>
  );
}

function StepList({ steps }: { steps: readonly string[] }): ReactElement {
  return (
    <ol className="way">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
