import { expect, test } from 'vitest';
import { contrastOf } from '../../../shared/core/apps/brand.ts';
import { COLOURS, type ColourName } from '../../../shared/core/look/tokens.ts';

const TONES = ['good', 'wait', 'bad', 'held'] as const;
/** Each colour of text, with the backgrounds on which it occurs. */
const TEXT: [ColourName, ColourName[]][] = [
  ['text', ['ground', 'card', 'soft', 'accent-soft', ...TONES.map((tone) => `${tone}-soft` as const)]],
  ['muted', ['ground', 'card', 'soft', 'accent-soft', ...TONES.map((tone) => `${tone}-soft` as const)]],
  ['accent', ['ground', 'card', 'soft', 'accent-soft']],
  ...TONES.map((tone): [ColourName, ColourName[]] => [tone, ['ground', 'card', 'soft', `${tone}-soft`]]),
  ['on-accent', ['accent']],
  ['on-fill', ['fill', 'fill-hover']],
  ['on-plate', ['plate']],
  ['on-wall', ['wall', 'wall-soft']],
  ['wall-muted', ['wall', 'wall-soft']],
  ['on-alarm', ['alarm']],
  ...(['code-text', 'code-muted', 'code-key', 'code-string', 'code-number', 'code-name'] as const).map(
    (name): [ColourName, ColourName[]] => [name, ['code', 'code-head']],
  ),
];
/** Icons, bars and borders that carry a meaning. */
const PARTS: [ColourName, ColourName[]][] = [
  ['edge', ['card', 'ground']],
  ['fill', ['card']],
  ...TONES.map((tone): [ColourName, ColourName[]] => [`${tone}-fill`, ['card']]),
  ['screw', ['plate', 'wall']],
];

function pairs(kinds: [ColourName, ColourName[]][]): [ColourName, ColourName][] {
  return kinds.flatMap(([front, backs]) => backs.map((back): [ColourName, ColourName] => [front, back]));
}

test.each(pairs(TEXT))('text in the colour %s can be read on %s, light and dark', (front, back) => {
  for (const shade of [0, 1] as const)
    expect(contrastOf(COLOURS[front][shade], COLOURS[back][shade])).toBeGreaterThanOrEqual(4.5);
});

test.each(pairs(PARTS))(
  'icons and borders in the colour %s can be seen on %s, light and dark',
  (front, back) => {
    for (const shade of [0, 1] as const)
      expect(contrastOf(COLOURS[front][shade], COLOURS[back][shade])).toBeGreaterThanOrEqual(3);
  },
);
