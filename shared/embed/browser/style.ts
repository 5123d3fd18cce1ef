import { CONNECT_PARTS } from '../../connect/parts-style.ts';
import { componentTokens } from '../../core/look/tokens.ts';

/**
 * The stylesheet of the component: the parts of the connect page, with the font and the colours of the page around it. Sizes are in `em`,
 * so that they follow the text of that page.
 */
export const STYLE = `${componentTokens(CONNECT_PARTS)}${CONNECT_PARTS}
:host { display: block; color: var(--text); font: var(--nameplate-font, inherit); --sans: sans-serif; --control: 2.5rem; --r-2: var(--nameplate-radius, .625rem); }
.card { border-radius: var(--nameplate-radius, .875rem); }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; text-align: start; overflow-wrap: anywhere; }
.door { font-size: 1.1875rem; }
.notice:empty { display: none; }
`.replace(/(\d)rem\b/g, '$1em');
