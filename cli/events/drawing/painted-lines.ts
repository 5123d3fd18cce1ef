import { fieldLines } from '../../output/field-lines.ts';
import type { Formatting, Style } from '../../output/output.ts';
import { plainTime } from '../../output/plain-text.ts';
import { tableLines } from '../../output/table.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { Line, Span } from '../../terminal/line.ts';

/** Marks the start and the end of styled text. No text from the network contains them: `plainText` removes control characters. */
const START = '\u0001';
const END = '\u0002';

/** Runs a view that other commands print, and returns its text as lines of the screen. */
export function linesOf(columns: number, view: (output: Formatting) => string[]): Line[] {
  const paint = (style: Style, text: string) => `${START}${style} ${text}${END}`;
  const output: Formatting = {
    width: columns,
    paint,
    table(rows, shown) {
      return tableLines(rows, shown, columns).lines.map((line, index) =>
        index === 0 ? paint('bold', line) : line,
      );
    },
    time: plainTime,
    prose: (text) => wrapText(text, columns),
    fields: (pairs) => fieldLines(pairs, { width: columns, paint }),
  };
  return view(output).map(spansOf);
}

function spansOf(line: string): Line {
  return line.split(START).flatMap((part, index): Span[] => {
    if (index === 0) return part === '' ? [] : [{ text: part }];
    const [styled = '', ...rest] = part.split(END);
    const space = styled.indexOf(' ');
    const span: Span = { text: styled.slice(space + 1), style: styled.slice(0, space) as Style };
    const plain = rest.join('');
    return plain === '' ? [span] : [span, { text: plain }];
  });
}
