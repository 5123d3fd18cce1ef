import type { ReactElement, ReactNode } from 'react';
import type { HeadBlock } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { HostnameText, NamedText } from './named-text.tsx';

/** Renders the plate with the hostname in Unicode. If the hostname has letters other than a to z, also shows its form in DNS. */
export function HeadPanel(input: {
  block: HeadBlock;
  names: readonly string[];
  level: 'h1' | 'h2';
  children?: ReactNode;
}): ReactElement {
  const { block, names, level: Title, children } = input;
  return (
    <header className="stack" id="head" data-live="" part="head">
      {block.test && (
        <p className="paper-note">
          <Icon name="flask" />
          <span>
            <b>{block.test.title}</b> {block.test.text}
          </span>
        </p>
      )}
      {children}
      <Title className={`plate door ${block.plate}`} part={`hostname plate-${block.plate}`}>
        <span>
          <HostnameText hostname={block.hostname} />
        </span>
      </Title>
      {block.notes.map(({ text, isWarning }) => (
        <p key={text} className={isWarning ? 'heed' : 'small muted'}>
          {isWarning && <Icon name="warn" />}
          <span>
            <NamedText text={text} names={names} />
          </span>
        </p>
      ))}
    </header>
  );
}
