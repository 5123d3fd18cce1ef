import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importsOf, isNode, type Node, nodesOf, readSources, type Source } from './sources.ts';

/** Tests house rules that neither the compiler nor the linter checks. */
interface Rule {
  /** Returns the violations of the rule in a file. */
  broken: (source: Source) => string[];
  /** A made-up file with a violation, and the expected finding. They prove that the rule can fail. */
  breach: Source;
  found: string[];
}

/** This file creates a server, which its only caller passes to `serveVisitors`. */
const OWNED_BY_CALLER = 'shared/edge/listeners/tls-listener.ts';

/** The tag's name is a variable, so that the rule does not read the made-up comments as comments of this file. */
const TAG = '@param';

/** Classes that neither extend nor implement another type, each with its reason. A function `create…` makes any other value with methods. */
const PLAIN_CLASSES: Record<string, string> = {
  CsvReader: 'holds the state of a parser, which it changes with each character',
  FairSlots: 'has a subclass, the limiter of connections to an origin',
  Markup: 'tells safe HTML from other text by `instanceof`',
  Placeholder: 'tells a missing value of a statement from other values by `instanceof`',
  Reader: 'has an instance for each vector of a TLS handshake',
  VisitorRequest: 'has an instance for each request of the edge',
};

const API_ANCHORS = [
  ...readFileSync(path.join(import.meta.dirname, '../shared/docs/api.md'), 'utf8').matchAll(/^##+ (.+)$/gm),
].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));

const RULES: Record<string, Rule> = {
  'a server has an owner for its connections': {
    broken: (source) => {
      if (source.file.startsWith('test/') || source.file === OWNED_BY_CALLER) return [];
      const called = nodesOf(source).flatMap(({ type, callee }) =>
        type === 'CallExpression' && isNode(callee) ? [String(callee.name)] : [],
      );
      const isOwned = called.some((name) => name === 'ownServer' || name === 'serveVisitors');
      return isOwned ? [] : called.filter((name) => /^create(?:Secure)?Server$/.test(name));
    },
    breach: { file: 'service/a.ts', text: 'const server = createServer(); createSecureServer(options);' },
    found: ['createServer', 'createSecureServer'],
  },
  'relative imports end in .ts or .tsx': {
    broken: (source) =>
      importsOf(source)
        .map(({ specifier = '' }) => specifier)
        .filter((specifier) => specifier.startsWith('.') && !/\.tsx?$/.test(specifier)),
    breach: { file: 'cli/a.ts', text: "import { b } from './b.ts';\nimport { c } from './c';" },
    found: ['./c'],
  },
  'exports have names': {
    // Vitest's configuration must be a default export.
    broken: (source) =>
      nodesOf(source)
        .map(({ type }) => type)
        .filter((type) => type === 'ExportDefaultDeclaration' && source.file !== 'test/vitest.config.ts'),
    breach: { file: 'cli/a.ts', text: 'export default class A {}' },
    found: ['ExportDefaultDeclaration'],
  },
  'a file is named by its idea': {
    broken: ({ file }) => (/(?:^|[/-])(?:utils?|helpers?|types|index)\.tsx?$/.test(file) ? [file] : []),
    breach: { file: 'cli/string-utils.ts', text: '' },
    found: ['cli/string-utils.ts'],
  },
  'a file has at most 300 lines': {
    broken: ({ text }) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > 300 ? [`${lines} lines`] : [];
    },
    breach: { file: 'cli/a.ts', text: 'a();\n'.repeat(301) },
    found: ['301 lines'],
  },
  'a citation of the API reference names one of its headings': {
    broken: ({ text }) =>
      [...text.matchAll(/docs\/api\.md#([a-z-]+)/g)]
        .map(([, anchor = '']) => anchor)
        .filter((anchor) => !API_ANCHORS.includes(anchor)),
    breach: { file: 'cli/a.ts', text: `// See docs/api.md#${'domains'} and docs/api.md#${'domain-names'}.` },
    found: ['domain-names'],
  },
  'a `@param` names a parameter of the function below it': {
    broken: unknownParams,
    breach: {
      file: 'cli/a.ts',
      text: [
        `/** ${TAG} gone never. ${TAG} kept always. ${TAG} options.wait in ms. ${TAG} options.late never. */`,
        'export const a = (kept: string, options: { wait: number }) => (gone: string) => kept;',
        `/** ${TAG} part of the whole. ${TAG} whole never. */`,
        'function b({ all: [part], ...rest }: Whole): void {}',
        'interface C {',
        `  /** ${TAG} id of a row. ${TAG} ids never. */`,
        '  find(id: string): void;',
        '}',
      ].join('\n'),
    },
    found: ['gone', 'options.late', 'whole', 'ids'],
  },
  'core, operations, store and jobs read no clock and set no timer': {
    broken: (source) =>
      /^shared\/(?:core|operations|store|jobs)\//.test(source.file)
        ? nodesOf(source).flatMap(clockOrTimer)
        : [],
    breach: {
      file: 'shared/jobs/a.ts',
      text: 'new Date(0); new Date(); a(Date.now); setTimeout(b); globalThis.setInterval(b);',
    },
    found: ['new Date()', 'Date.now', 'setTimeout', 'setInterval'],
  },
  'a function whose SQL writes takes a Tx, or opens a transaction': {
    broken: ({ file, text }) =>
      file.startsWith('test/') || file.includes('/migrations/')
        ? []
        : text
            .split(/^(?=(?:export )?(?:async )?(?:function|const|class) )/m)
            .filter((part) => /sql(?:<[^`]*>)?`\s*(?:insert into|update|delete from)\s/.test(part))
            .filter((part) => !/: Tx\b|\binTransaction\(/.test(part))
            .map((part) => part.split('\n')[0] ?? ''),
    breach: {
      file: 'service/a.ts',
      text: [
        'function a(tx: Tx) { return sql`update b set c = 1`; }',
        'async function d({ db }: Store) { await sql<Row>`',
        '  delete from b`.execute(db); }',
      ].join('\n'),
    },
    found: ['async function d({ db }: Store) { await sql<Row>`'],
  },
  'a result by value is `{ ok: true, … } | { ok: false, problem }`': {
    // Two results have another field in place of `problem`: `waitMs` of a rate limit, and `status` of the edge's own response.
    broken: ({ file, text }) =>
      file.startsWith('test/')
        ? []
        : [
            ...text.matchAll(
              /\| \{\s*(?:problems?\b|ok: false[,;](?!\s*(?:problem|waitMs|status)\b))[^}]*\}?/g,
            ),
          ].map(([union]) => union),
    breach: {
      file: 'cli/a.ts',
      text: [
        'type A = { ok: true; a: string } | { ok: false; problem: string };',
        'type B = { b: string } | { problem: string };',
        'type C = { ok: true } | { ok: false; reason: string };',
      ].join('\n'),
    },
    found: ['| { problem: string }', '| { ok: false; reason: string }'],
  },
  'a class extends or implements another type, or the list has a reason for it': {
    broken: (source) => plainClasses(source).filter((name) => !(name in PLAIN_CLASSES)),
    breach: {
      file: 'cli/a.ts',
      text: 'class A { b = 1; }\nclass B extends A {}\nclass C implements D { b = 1; }\na(class { b = 1; });',
    },
    found: ['A', 'a class without a name'],
  },
  'a lazy import has its reason in a comment above it': {
    broken: (source) =>
      lazyImports(source)
        .filter(({ reason }) => reason === null)
        .map(({ line }) => line),
    breach: {
      file: 'cli/a.ts',
      text: "// Lazy: Ink is slow.\nawait import('./a.tsx');\n\nawait import('./b.ts');",
    },
    found: ["await import('./b.ts');"],
  },
};

/** The files with the tables of commands, which import a command's file only when the command runs. */
const COMMAND_TABLES = ['bin/main.ts', 'cli/commands.ts', 'service/commands.ts'];
const LAZY_IMPORTS_MAX = 12;

const sources = readSources('bin', 'cli', 'emulator', 'service', 'shared', 'test');
/** The violations of each rule. */
const breaches: Record<string, string[]> = {};

beforeAll(() => {
  // Checks all rules file by file, because parsing a file takes longer than the rules.
  for (const source of sources) {
    for (const [rule, { broken }] of Object.entries(RULES)) {
      breaches[rule] ??= [];
      breaches[rule].push(...broken(source).map((what) => `${source.file}: ${what}`));
    }
  }
});

describe.each(Object.entries(RULES))('the rule "%s"', (rule, { broken, breach, found }) => {
  test('holds in every file', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(breaches[rule]).toEqual([]);
  });

  test('finds a made-up violation', () => {
    expect(broken(breach)).toEqual(found);
  });
});

test('the product has at most 12 lazy imports outside the tables of commands', () => {
  const lazy = sources.flatMap((source) => lazyImports(source).map(({ line }) => `${source.file}: ${line}`));
  expect(lazy.length, lazy.join('\n')).toBeLessThanOrEqual(LAZY_IMPORTS_MAX);
  expect(lazy.length).toBeGreaterThan(0);
  for (const table of COMMAND_TABLES) expect(sources.map(({ file }) => file)).toContain(table);
});

test('an exported name is declared in one file', () => {
  const files = new Map<string, string[]>();
  for (const { file, text } of sources) {
    if (file.startsWith('test/')) continue;
    const declared = text.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm);
    for (const name of new Set([...declared].map(([, name = '']) => name)))
      files.set(name, [...(files.get(name) ?? []), file]);
  }
  const twice = [...files].filter(([, where]) => where.length > 1);
  // The custom element and its React component have the same name on purpose.
  expect(twice.map(([name]) => name)).toEqual(['NameplateConnect']);
});

test('every class in the list of permitted plain classes exists', () => {
  expect(sources.flatMap(plainClasses).sort()).toEqual(Object.keys(PLAIN_CLASSES));
});

/** Returns the names of the classes of a product file that have members, but neither extend nor implement another type. */
function plainClasses(source: Source): string[] {
  if (source.file.startsWith('test/') || !/\bclass\b/.test(source.text)) return [];
  return nodesOf(source)
    .filter(({ type, superClass }) => /^Class(?:Declaration|Expression)$/.test(type) && !superClass)
    .filter(({ implements: types }) => !Array.isArray(types) || types.length === 0)
    .filter(({ body }) => isNode(body) && Array.isArray(body.body) && body.body.length > 0)
    .map(({ id }) => (isNode(id) ? String(id.name) : 'a class without a name'));
}

/** Returns the lazy imports of a product file outside browser code, each with the reason in the comment above the statement. */
function lazyImports(source: Source): { line: string; reason: string | null }[] {
  const { file, text } = source;
  const isExempt = file.startsWith('test/') || file.includes('/browser/') || COMMAND_TABLES.includes(file);
  if (isExempt || !text.includes('import(')) return [];
  return nodesOf(source)
    .filter(({ type }) => type === 'ImportExpression')
    .map(({ start }) => {
      const before = text.slice(0, Number(start)).split('\n');
      const above = before.slice(-3).join('\n');
      return {
        line: text.split('\n')[before.length - 1]?.trim() ?? '',
        reason: /\/\/ Lazy: (.+)/.exec(above)?.[1] ?? null,
      };
    });
}

function clockOrTimer({ type, name, callee, arguments: args, object, property }: Node): string[] {
  if (type === 'Identifier' && (name === 'setTimeout' || name === 'setInterval')) return [name];
  if (type === 'NewExpression' && isNamed(callee, 'Date') && Array.isArray(args) && args.length === 0)
    return ['new Date()'];
  if (type === 'MemberExpression' && isNamed(object, 'Date') && isNamed(property, 'now')) return ['Date.now'];
  return [];
}

/** Returns the names in `@param` tags that the function below the comment does not have as parameters. */
function unknownParams(source: Source): string[] {
  const comments = [...source.text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?@param (?:(?!\*\/)[\s\S])*\*\//g)];
  const nodes = comments.length === 0 ? [] : nodesOf(source);
  return comments.flatMap(({ 0: comment, index }) => {
    const code = source.text.slice(index + comment.length);
    const start = source.text.length - code.replace(/^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/, '').length;
    const below = nodes.slice(nodes.findIndex((node) => node.start === start));
    const described = below.find(
      ({ type, params }) => /Function|Signature/.test(type) && Array.isArray(params),
    );
    const names = boundNames(described?.params);
    return [...comment.matchAll(/@param ([\w$.]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !names.includes(name) && !names.includes(name.replace(/\..*/, '.*')));
  });
}

/**
 * Returns the names that parameters bind. A member of an object is `options.name` if its type is written out. `options.*` means any member
 * of a type with a name.
 */
function boundNames(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(boundNames);
  if (!isNode(pattern)) return [];
  const { type, name, typeAnnotation, properties, elements, value, left, argument, parameter } = pattern;
  if (type !== 'Identifier') return boundNames([properties, elements, value, left, argument, parameter]);
  const written = isNode(typeAnnotation) ? typeAnnotation.typeAnnotation : undefined;
  if (!isNode(written) || written.type !== 'TSTypeLiteral') return [`${name}`, `${name}.*`];
  const members = Array.isArray(written.members) ? written.members : [];
  return [`${name}`, ...members.map(({ key }) => `${name}.${isNode(key) ? key.name : ''}`)];
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.name === name;
}
