/** A sentence with its passage and its file. */
export interface Sentence extends Passage {
  file: string;
}

/** A run of prose: a comment, a paragraph, a list item or a test title. */
export interface Passage {
  kind: 'comment' | 'paragraph' | 'title';
  line: number;
  text: string;
  /** The text right before the passage: the tag of a comment, or the groups around a test. */
  lead?: string;
}

/** Reads the passages of a Markdown file, or the comments and test titles of a source file. */
export function readPassages(file: string, text: string): Passage[] {
  return file.endsWith('.md') ? passagesOfMarkdown(text) : passagesOfSource(file, text);
}

/** Reads the sentences of a file's passages. */
export function readProse(file: string, text: string): Sentence[] {
  return readPassages(file, text).flatMap((passage) =>
    sentencesOf(passage.text).map((sentence) => ({ ...passage, file, text: sentence })),
  );
}

/** Splits a passage into sentences. Links, quotes and inline code become one word each: `file`, `symbol` or `code`. */
export function sentencesOf(passage: string): string[] {
  return passage
    .replace(/(?<=[.!?]\)? )`[^`]*`/g, 'Code')
    .replace(/`[\w./-]+\.tsx?`/g, 'file')
    .replace(/`[a-z]+[A-Z]\w*(?:\(\))?`/g, 'symbol')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\{@\w+ [^}]*\}/g, 'code')
    .replace(/“[^”]*”|"[^"]{1,200}"/g, 'quote')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])\)? +(?=[\p{Lu}`“"(])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Reads paragraphs, list items and quotes. Leaves out headings, tables, fences, HTML comments and link definitions. */
function passagesOfMarkdown(text: string): Passage[] {
  const passages: Passage[] = [];
  let open: Passage | null = null;
  let isFenced = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const starts = /^\s*(?:[-*+]|\d+\.|>)\s+(.*)$/.exec(line);
    const isProse = !isFenced && !/^\s*(?:$|```|~~~|#|\||<|\[[^\]]+\]:|:?-{3,})/.test(line);
    if (!isProse) open = null;
    else if (open === null || starts !== null) {
      open = { kind: 'paragraph', line: index + 1, text: starts?.[1] ?? line };
      passages.push(open);
    } else open.text += ` ${line.trim()}`;
  }
  return passages;
}

/**
 * Matches a test or a group with its title, which has several words. In `test.each(…)('…')`, the table of cases comes first and may take
 * several lines.
 */
const TITLE =
  /(?:\b(?:test|it|describe\w*)(?:\.(?!each|skipIf|runIf)\w+)*(?:\.(?:each|skipIf|runIf)\b.*\))?|^ *[\]}]?(?: as const)?\))\((?:[^"`;{=]*?,)?\s*(['"`])((?:\\.|(?!\1)\S)* (?:\\.|(?!\1).)*)\1/gm;
const STARTS = /^\s*(?:await )?(test|it|describe)/;

function passagesOfSource(file: string, text: string): Passage[] {
  const lineAt = (at: number) => text.slice(0, at).split('\n').length;
  const passages: Passage[] = [];
  for (const found of text.matchAll(/^[ \t]*\/\*\*?([\s\S]*?)\*\//gm)) {
    const lines = (found[1] ?? '')
      .split('\n')
      .map((line) => line.replace(/^\s*\*? ?/, ''))
      .flatMap((line) => line.trimStart().split(/(?<=[.;] )(?=@(?:param|throws|returns|deprecated|see)\b)/));
    // A tag, a list item or an empty line starts a new passage.
    let passage: Passage = { kind: 'comment', line: lineAt(found.index), text: '' };
    for (const line of [...lines, '']) {
      const starts = /^@(?:param \S+|throws|returns|deprecated|see)\s*|^[-*] /.exec(line);
      if (starts !== null || line.trim() === '') {
        if (passage.text.trim() !== '') passages.push(passage);
        const lead = starts?.[0] ?? '';
        passage = { ...passage, text: line.slice(lead.length), lead };
      } else passage.text += ` ${line}`;
    }
  }
  let open: Passage | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const comment = /^\s*\/\/ (.*)$/.exec(line)?.[1];
    if (comment === undefined || /^(?:biome-ignore|@ts-)/.test(comment)) open = null;
    else if (open === null) {
      open = { kind: 'comment', line: index + 1, text: comment };
      passages.push(open);
    } else open.text += ` ${comment}`;
  }
  if (/\.test\.tsx?$/.test(file)) passages.push(...titlesOf(text, lineAt));
  return passages;
}

/** Reads the test titles. Like the output of a test run, each title contains the titles of its groups. */
function titlesOf(text: string, lineAt: (at: number) => number): Passage[] {
  const lines = text.split('\n');
  let groups: { indent: number; title: string }[] = [];
  const indentOf = (line: string | undefined) => line?.search(/\S/) ?? 0;
  return [...text.matchAll(TITLE)].map((found) => {
    const line = lineAt(found.index);
    const indent = indentOf(lines[line - 1]);
    const start = lines.slice(0, line).findLast((above) => indentOf(above) === indent && STARTS.test(above));
    const title = found[2] ?? '';
    groups = groups.filter((group) => group.indent < indent);
    const lead = groups.map((group) => `${group.title} › `).join('');
    if (STARTS.exec(start ?? '')?.[1] === 'describe') groups.push({ indent, title });
    return { kind: 'title', line, text: title, lead };
  });
}
