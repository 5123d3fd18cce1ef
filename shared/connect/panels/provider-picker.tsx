import type { ReactElement } from 'react';
import { fill } from '../../core/languages/text.ts';
import { PROVIDERS } from '../../core/providers/providers.ts';
import { OTHER_PROVIDER } from '../page-path.ts';
import type { View } from '../view.ts';
import { Icon } from './icons.tsx';

/** Lets the visitor choose the guide of another DNS provider. The choice goes into the address of the page. */
export function ProviderPicker({ view }: { view: View }): ReactElement {
  const { guide, language, address, page } = view;
  const { page: texts } = language.texts;
  const { lang, provider } = address.choice;
  const name = guide.provider_name;
  return (
    <details>
      <summary>
        <Icon name="chevron" />
        {name === null ? texts.whichProvider : fill(texts.notProvider, { provider: name })}
      </summary>
      <form className="inside row" method="get" action={address.path}>
        {lang === null ? null : <input type="hidden" name="lang" value={lang} />}
        <div>
          <label htmlFor="provider">{texts.chooseProvider}</label>
          <select
            id="provider"
            name="provider"
            defaultValue={provider ?? page.provider?.id ?? OTHER_PROVIDER}
          >
            {PROVIDERS.toSorted((a, b) => a.name.localeCompare(b.name, language.tag)).map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
            <option value={OTHER_PROVIDER}>{texts.anotherProvider}</option>
          </select>
        </div>
        <button type="submit">{texts.showSteps}</button>
      </form>
    </details>
  );
}
