import type { ReactElement } from 'react';
import { CopyTextButton } from './copy-text.tsx';
import { type DataColumn, Table } from './table.tsx';

type Header = readonly [name: string, value: string];

/** Shows headers in the order in which they were sent. A header can occur twice. */
export function HeaderTable({ headers }: { headers: readonly Header[] }): ReactElement {
  return <Table look="headers" caption="Headers" columns={HEADER_COLUMNS} rows={headers} />;
}

const HEADER_COLUMNS: readonly DataColumn<Header>[] = [
  ['Header', ([name]) => name],
  ['Value', ([, value]) => <code>{value}</code>],
];

/** Shows a body on a code panel, coloured if it is JSON. @param body the body, exactly as it was sent, which the button copies. */
export function BodyPanel({ title, of: body }: { title: string; of: string }): ReactElement {
  return (
    <section className="code" aria-label={title}>
      <header>
        {title}
        <CopyTextButton text={body} what={`the ${title.toLowerCase()}`} word="Copy" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it */}
      <pre tabIndex={0}>{coloured(body)}</pre>
    </section>
  );
}

/** A name with its colon, a text, or another value of JSON. */
const JSON_PART = /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;
const COLOURS = ['k', 's', 'n'];

/** Returns the parts of a body for `pre`: JSON indented and coloured, and any other text as it is. */
function coloured(body: string): (string | ReactElement)[] {
  const text = indented(body);
  if (text === null) return [body];
  const parts: (string | ReactElement)[] = [];
  let end = 0;
  for (const match of text.matchAll(JSON_PART)) {
    const colour = COLOURS[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={colour}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function indented(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return null;
  }
}
