/** The problems of a seed file, one line each: `seed.yaml:12: domains[1].status: …`. */
export class SeedError extends Error {
  readonly code: 'seed_invalid' | 'seed_unreadable';

  constructor(
    lines: readonly string[],
    { code = 'seed_invalid', cause }: { code?: SeedError['code']; cause?: unknown } = {},
  ) {
    super(lines.join('\n'), { cause });
    this.name = 'SeedError';
    this.code = code;
  }
}
