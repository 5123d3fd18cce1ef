import type { ReactElement } from 'react';
import type { ProviderChoice } from '../content/connect-content.ts';
import type { View } from '../view.ts';

/** Lets the visitor choose the guide of another DNS provider. The choice becomes part of the page's URL. */
export function ProviderPicker({
  of: { label, chosen, list },
  view: { language, address },
}: {
  of: ProviderChoice;
  view: View;
}): ReactElement {
  const { lang } = address.choice;
  return (
    <form className="ask-row" method="get" action={address.path}>
      {lang === null ? null : <input type="hidden" name="lang" value={lang} />}
      <label htmlFor="provider">{label}</label>
      <select id="provider" name="provider" defaultValue={chosen}>
        {list.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">{language.texts.page.showSteps}</button>
    </form>
  );
}
