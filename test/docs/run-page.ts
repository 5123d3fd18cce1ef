import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { isShownAs } from './match-output.ts';
import { type CommandResult, PageSession } from './page-session.ts';
import { PAGES, type Page } from './pages.ts';
import { parseSample } from './parse-sample.ts';
import { PRELUDES } from './preludes.ts';
import { type Sample, samplesOf } from './read-samples.ts';
import { kindOf, RUNTIMES } from './sample-kind.ts';

/** Placeholders in shell samples, each with a command that prints the value for it. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  'whsec_…': 'nameplate emulator status --jq .keys.webhook_secret',
  'sk_test_…': 'nameplate emulator status --jq .keys.test',
  'sk_live_…': 'nameplate emulator status --jq .keys.live',
  't=…,v1=…': 'nameplate webhooks sign --body body.json',
  'evt_…': "nameplate events list --limit 1 --jq '.data[0].id'",
  'dom_…': "nameplate domains list --limit 1 --jq '.data[0].id'",
};

/** How long a server on the page may take to print the output that the page shows. */
const PRINTED_WITHIN_MS = 15_000;

/**
 * Runs all samples of a page in order, in the reader's terminals. @throws Error at the first sample that fails.
 * @param reader the label of the tab that the reader uses, if the page has `readers`.
 * @param packages folders of the installed packages that the page imports, by name.
 */
export async function runPage(
  name: string,
  reader: string,
  packages: Readonly<Record<string, string>>,
): Promise<void> {
  const page = PAGES[name];
  if (page === undefined) throw new Error(`test/docs/pages.ts does not name ${name}`);
  await using session = new PageSession(page.checkout ? null : packages);
  for (const [file, content] of Object.entries(page.files ?? {})) save(session, file, content);
  if (page.emulator !== undefined) await session.serve(`nameplate emulator start ${page.emulator}`, '4400');
  if (page.setup !== undefined) await succeed(session, page.setup);
  const state: PageState = { page, session, last: null, servers: new Map() };
  for (const sample of samplesOf(name)) {
    const { tab } = sample.attributes;
    if (page.readers !== undefined && tab !== undefined && tab !== reader) continue;
    try {
      await runSample(sample, state);
    } catch (error) {
      throw new Error(`${name}.md:${sample.line}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
}

interface PageState {
  page: Page;
  session: PageSession;
  last: CommandResult | null;
  /** The port of each sample that serves one, by the sample's name. */
  servers: Map<string, string>;
}

async function runSample(sample: Sample, state: PageState): Promise<void> {
  const { attributes, language, text } = sample;
  const { session, page } = state;
  const kind = kindOf(sample);
  if (kind === 'skipped') return;
  if (attributes['before'] !== undefined) await succeed(session, page.steps?.[attributes['before']] ?? '');
  if (kind === 'compared') return compare(sample, state);
  if (attributes['file'] !== undefined) save(session, attributes['file'], text);
  if (kind === 'parsed') return parseSample(sample, session);
  if (language === 'sh') return runShell(sample, state);
  if (attributes['file'] !== undefined) return;
  const file = `sample-${sample.line}.${language === 'js' ? 'mjs' : language}`;
  save(session, file, (PRELUDES[attributes['prelude'] ?? ''] ?? '') + text);
  state.last = await exitsWith(session, [...(RUNTIMES[language] ?? []), file].join(' '), attributes['exit']);
}

async function runShell({ attributes, text }: Sample, state: PageState): Promise<void> {
  const script = await fillIn(text, state.session);
  const { serves, as, until } = attributes;
  if (until !== undefined) {
    state.last = await state.session.runUntil(script, until);
    return;
  }
  if (serves === undefined) {
    state.last = await exitsWith(state.session, script, attributes['exit']);
    return;
  }
  await state.session.serve(script, serves);
  if (as !== undefined) state.servers.set(as, serves);
}

async function compare({ attributes, text }: Sample, { session, last, servers }: PageState): Promise<void> {
  const of = attributes['output'] ?? '';
  if (of === '') {
    if (last === null) throw new Error('there is no output to compare with');
    if (!isShownAs(last.output, text)) expect(last.output).toBe(text);
    return;
  }
  const port = servers.get(of);
  if (port === undefined) throw new Error(`no sample is called ${of}`);
  const deadline = Date.now() + PRINTED_WITHIN_MS;
  while (!isShownAs(session.printed(port), text)) {
    if (Date.now() > deadline) expect(session.printed(port)).toBe(text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function succeed(session: PageSession, script: string): Promise<void> {
  await exitsWith(session, script, '0');
}

async function exitsWith(session: PageSession, script: string, exit = '0'): Promise<CommandResult> {
  const result = await session.run(script);
  if (String(result.exit) !== exit)
    throw new Error(`exit code ${result.exit}, not ${exit}:\n${result.output}`);
  return result;
}

async function fillIn(script: string, session: PageSession): Promise<string> {
  let filled = script.replaceAll('{base_url}', 'http://127.0.0.1:4400');
  for (const [placeholder, command] of Object.entries(PLACEHOLDERS)) {
    if (!filled.includes(placeholder)) continue;
    const { output } = await exitsWith(session, `${command} 2> /dev/null`);
    const value = output.trim();
    if (value === '' || value === 'null') throw new Error(`nothing stands for ${placeholder}: ${command}`);
    filled = filled.replaceAll(placeholder, value);
  }
  return filled;
}

function save(session: PageSession, file: string, content: string): void {
  const target = path.join(session.folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}
