import { expect, test } from 'vitest';
import { readSources } from '../../sources.ts';

/** Matches a colour as CSS writes it, but neither a character reference such as `&#9679;` nor a private method such as `#add()`. */
const COLOUR = /(?<![&\w.])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?!\()|\b(?:rgb|hsl)a?\(/i;
/** Texts that show people how to write a colour, and a pattern for colours. */
const EXAMPLES = [/such as #1f4fd1/, /placeholder="#1f4fd1"/];

test('colours are written only in tokens.ts', () => {
  expect(colourLines('a { color: #fff }')).toHaveLength(1);
  expect(colourLines('a { color: var(--text) }')).toEqual([]);
  const found = readSources('bin', 'cli', 'emulator', 'service', 'shared')
    .filter(({ file }) => file !== 'shared/core/look/tokens.ts')
    .flatMap(({ file, text }) => colourLines(text).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

function colourLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => COLOUR.test(line) && !/^(?:\*|\/\/|\/\*)/.test(line))
    .filter((line) => !EXAMPLES.some((example) => example.test(line)));
}
