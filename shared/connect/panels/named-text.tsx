import type { ReactElement } from 'react';

/** Renders a text, with the names of the domain in it in their own text direction. */
export function NamedText({ text, names }: { text: string; names: readonly string[] }): ReactElement {
  const parts = text.split(new RegExp(`(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`));
  // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and nothing is ever rendered twice.
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <bdi key={index}>{part}</bdi>))}</>;
}

/** Renders a hostname so that lines break at its dots first, with its own text direction. */
export function HostnameText({ hostname }: { hostname: string }): ReactElement {
  const [first, ...labels] = hostname.split('.');
  return (
    <bdi>
      {first}
      {/* biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and nothing is ever rendered twice. */}
      {labels.flatMap((label, index) => [<wbr key={index} />, `.${label}`])}
    </bdi>
  );
}
