import type { ReactElement } from 'react';
import { focusAgain, keepOpen, outcomes } from '../../connect/browser/keep-state.ts';
import type { ChecksBlock, ConnectContent, ContentBlock } from '../../connect/content/connect-content.ts';
import { ChecksPanel } from '../../connect/panels/checks-panel.tsx';
import { FindingsPanel } from '../../connect/panels/findings-panel.tsx';
import { FoldsPanel } from '../../connect/panels/folds-panel.tsx';
import { HeadPanel } from '../../connect/panels/head-panel.tsx';
import { LinksPanel } from '../../connect/panels/links-panel.tsx';
import { ProviderPicker } from '../../connect/panels/provider-picker.tsx';
import { RecordsPanel } from '../../connect/panels/records-panel.tsx';
import { StatusPanel } from '../../connect/panels/status-panel.tsx';

/**
 * Draws the blocks that have changed. Keeps the focus, and keeps opened sections open.
 * @returns the new headline and the new result of a check, to announce. Empty for the first content.
 */
export function drawContent(
  body: HTMLElement,
  before: ConnectContent | null,
  { blocks, names }: ConnectContent,
): string {
  const root = body.getRootNode() as ShadowRoot;
  const known = outcomes(root);
  const parts = blocks.map((block) => {
    const old = root.getElementById(block.kind);
    const previous = before?.blocks.find(({ kind }) => kind === block.kind);
    if (old !== null && JSON.stringify(previous) === JSON.stringify(block)) return old;
    // The build replaces React's JSX, so a panel is an element.
    const drawn = (<Panel block={block} names={names} />) as unknown as HTMLElement;
    if (old !== null) keepOpen(old, drawn);
    if (old !== null && block.kind === 'checks') keepNotice(old, drawn, previous as ChecksBlock, block);
    return drawn;
  });
  const focused = root.activeElement as HTMLElement | null;
  body.replaceChildren(...parts);
  if (focused?.isConnected) focused.focus({ preventScroll: true });
  else if (focused) focusAgain(root, focused);
  if (before === null) return '';
  return outcomes(root)
    .filter((text) => !known.includes(text))
    .join('. ');
}

function Panel({ block, names }: { block: ContentBlock; names: readonly string[] }): ReactElement {
  switch (block.kind) {
    case 'head':
      return <HeadPanel block={block} names={names} level="h2" />;
    case 'status':
      return <StatusPanel block={block} names={names} />;
    case 'records':
      return <RecordsPanel block={block} names={names} />;
    case 'findings':
      return <FindingsPanel block={block} names={names} />;
    case 'checks':
      return (
        <ChecksPanel block={block} action={null}>
          <p id="check-notice" className="notice quiet" part="notice" />
        </ChecksPanel>
      );
    case 'folds':
      return <FoldsPanel list={block.list} names={names} pick={(choice) => <ProviderPicker of={choice} />} />;
    case 'links':
      return <LinksPanel notes={block.notes} links={block.links} target="_blank" />;
  }
}

/** Keeps the notice of "Check now" until the result of the check arrives. */
function keepNotice(old: Element, drawn: Element, before: ChecksBlock, { times }: ChecksBlock): void {
  const [from, to] = [old, drawn].map((each) => each.querySelector('#check-notice'));
  if (from && to && before.times[0]?.time?.at === times[0]?.time?.at) to.textContent = from.textContent;
}
