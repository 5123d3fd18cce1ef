import type { ReactElement } from 'react';
import type { ProviderChoice } from '../content/connect-content.ts';
import type { View } from '../view.ts';
import { Icon } from './icons.tsx';

/** Lets the visitor choose the guide of another DNS provider. The choice becomes part of the page's URL. */
export function ProviderPicker({
  of: { title, label, chosen, list },
  view: { language, address },
}: {
  of: ProviderChoice;
  view: View;
}): ReactElement {
  const { lang } = address.choice;
  return (
    <details>
      <summary>
        <Icon name="right" />
        {title}
      </summary>
      <form className="inside row" method="get" action={address.path}>
        {lang === null ? null : <input type="hidden" name="lang" value={lang} />}
        <div>
          <label htmlFor="provider">{label}</label>
          <select id="provider" name="provider" defaultValue={chosen}>
            {list.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">{language.texts.page.showSteps}</button>
      </form>
    </details>
  );
}
