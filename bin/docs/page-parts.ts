/** Returns a fenced code block. @param info the language, and attributes such as `tab="curl"`. */
export function fenced(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``;
}

/** Joins the blocks of a page, and leaves out empty ones. */
export function joined(...blocks: string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
