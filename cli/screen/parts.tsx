import { Text, type TextProps } from 'ink';
import type { Style } from '../output/output.ts';

/** A part of a line. Each part of a line has another text. */
export interface Part {
  text: string;
  style?: Style;
}

/** Parts of a line, with a dot between them. */
export function Parts({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, style }, index) => (
    <Text key={text}>
      {index > 0 && <Text dimColor> · </Text>}
      <Text {...styleProps(style ?? null)}>{text}</Text>
    </Text>
  ));
}

/** Returns the properties of a text in a style. */
export function styleProps(style: Style | null): TextProps {
  if (style === null) return {};
  if (style === 'bold') return { bold: true };
  return style === 'dim' ? { dimColor: true } : { color: style };
}
