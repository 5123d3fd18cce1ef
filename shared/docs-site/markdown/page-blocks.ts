import { marked, type Token, type Tokens } from 'marked';
import { textOfTokens } from './text-of-tokens.ts';

/** The blocks of a reference page: its introduction, its samples, which stand beside the text, and the rest of the text. */
export interface PageBlocks {
  intro: Token[];
  samples: Token[];
  rest: Token[];
}

/**
 * Separates the samples of a reference page from its text. A section of samples and paragraphs moves as a whole, with its heading. The
 * headings below such a heading move up by one level.
 */
export function separateSamples(tokens: readonly Token[]): PageBlocks {
  const blocks: PageBlocks = { intro: [], samples: [], rest: [] };
  let title: string | null = null;
  let isMoved = false;
  let isBelowMoved = false;
  for (const [at, token] of tokens.entries()) {
    if (isHeading(token) && token.depth > 1) {
      title = textOfTokens(token.tokens);
      const own = ownBlocks(tokens.slice(at + 1));
      if (token.depth === 2) isBelowMoved = own.some(isSample) && own.every(canMove);
      isMoved = token.depth === 2 && isBelowMoved;
      const isRaised = token.depth === 3 && isBelowMoved;
      blocks[isMoved ? 'samples' : 'rest'].push(isRaised ? { ...token, depth: 2 } : token);
    } else if (isSample(token)) {
      blocks.samples.push({ ...token, label: title } as Token);
    } else {
      blocks[isMoved ? 'samples' : title === null ? 'intro' : 'rest'].push(token);
    }
  }
  const call = blocks.intro.findIndex((token) => callOf(token) !== null);
  if (call > 0) blocks.intro.splice(1, 0, ...blocks.intro.splice(call, 1));
  return blocks;
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** Returns the blocks up to the next heading. */
function ownBlocks(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(isHeading);
  return end === -1 ? tokens : tokens.slice(0, end);
}

function isSample({ type, raw }: Token): boolean {
  return type === 'code' || type === 'tabs' || (type === 'html' && raw.startsWith('<!-- try:'));
}

function canMove(token: Token): boolean {
  return isSample(token) || token.type === 'paragraph' || token.type === 'space';
}

/** Returns the method and path of a request if a block consists of them, such as `POST /v1/domains`. Otherwise returns null. */
export function callOf(
  token: Pick<Token, 'type'> & { tokens?: Token[] | undefined },
): { method: string; path: string } | null {
  const [only, ...others] = token.tokens ?? [];
  if (only?.type !== 'codespan' || others.length > 0) return null;
  const [, method, path] = /^(GET|POST|PATCH|DELETE) (\S+)$/.exec((only as Tokens.Codespan).text) ?? [];
  return method === undefined || path === undefined ? null : { method, path };
}

/**
 * Replaces the title of an error's page, which is the code, by the first sentence of the page.
 * @returns the code, or null if the title is not a code.
 */
export function titleBySentence(tokens: Token[]): string | null {
  const title = tokens.find(isHeading);
  const paragraph = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  if (title?.tokens.length !== 1 || title.tokens[0]?.type !== 'codespan' || paragraph === undefined)
    return null;
  const code = textOfTokens(title.tokens);
  const [, sentence = paragraph.text, more = ''] = /^(.+?)\.(?:\s+(.*))?$/s.exec(paragraph.text) ?? [];
  title.tokens = marked.Lexer.lexInline(sentence);
  paragraph.tokens = marked.Lexer.lexInline(more);
  return code;
}
