import { marked, type Token, type Tokens } from 'marked';
import { textOfTokens } from './text-of-tokens.ts';

/**
 * Separates the samples of a reference page from its introduction and the rest of its text. A section of samples and paragraphs moves as a
 * whole, with its heading. The headings below such a heading move up by one level.
 */
export function separateSamples(tokens: readonly Token[]): Record<'intro' | 'samples' | 'rest', Token[]> {
  const blocks = { intro: [] as Token[], samples: [] as Token[], rest: [] as Token[] };
  let title: string | null = null;
  let isMoved = false;
  let isBelowMoved = false;
  for (const [at, token] of tokens.entries()) {
    if (isHeading(token) && token.depth > 1) {
      title = textOfTokens(token.tokens);
      const after = tokens.slice(at + 1);
      const end = after.findIndex(isHeading);
      const own = end === -1 ? after : after.slice(0, end);
      if (token.depth === 2) isBelowMoved = own.some(isSample) && own.every(canMove);
      isMoved = token.depth === 2 && isBelowMoved;
      blocks[isMoved ? 'samples' : 'rest'].push(isBelowMoved ? { ...token, depth: 2 } : token);
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

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isSample = ({ type, raw }: Token) =>
  type === 'code' || type === 'tabs' || (type === 'html' && raw.startsWith('<!-- try:'));
const canMove = (token: Token) => isSample(token) || token.type === 'paragraph' || token.type === 'space';

/** Returns the method and path of a request if a block consists of them, such as `POST /v1/domains`. Otherwise returns null. */
export function callOf(token: Token): { method: string; path: string } | null {
  const [only, ...others] = ('tokens' in token && token.tokens) || [];
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
  if (title?.tokens[0]?.type !== 'codespan' || paragraph === undefined) return null;
  const code = textOfTokens(title.tokens);
  const [sentence = '', ...more] = paragraph.text.split(/(?<=\.)\s/);
  title.tokens = marked.Lexer.lexInline(sentence.replace(/\.$/, ''));
  paragraph.tokens = marked.Lexer.lexInline(more.join(' '));
  return code;
}
