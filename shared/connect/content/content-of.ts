import { createHash } from 'node:crypto';
import type { Language } from '../../core/connect-texts/catalog.ts';
import { fill } from '../../core/connect-texts/text.ts';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import { isNotThereYet } from '../shown-finding.ts';
import { STEPS } from '../status-words.ts';
import { forRecords, isSaidAbove, type View } from '../view.ts';
import type {
  ChecksBlock,
  ConnectContent,
  FindingsBlock,
  FoldsBlock,
  HeadBlock,
  LinksBlock,
  RecordsBlock,
  ScriptWords,
  ShownTime,
  StatusBlock,
  Step,
  TimeSentence,
} from './connect-content.ts';
import { findingsBlock } from './findings-block.ts';
import { foldsBlock } from './folds-block.ts';
import { recordsBlock } from './records-block.ts';

/** The blocks of a page. A block is null if it has nothing to show. */
export interface ConnectBlocks {
  head: HeadBlock;
  status: StatusBlock;
  records: RecordsBlock | null;
  findings: FindingsBlock | null;
  checks: ChecksBlock | null;
  folds: FoldsBlock | null;
  links: LinksBlock | null;
  /** True if the records are shown above the findings. */
  recordsFirst: boolean;
}

/** Returns the blocks that the connect page and the component show. */
export function blocksOf(view: View): ConnectBlocks {
  return {
    head: headBlock(view),
    status: statusBlock(view),
    records: recordsBlock(view),
    findings: findingsBlock(view),
    checks: checksBlock(view),
    folds: foldsBlock(view),
    links: linksBlock(view),
    recordsFirst: view.missing !== null || view.fix !== null || view.findings.length === 0,
  };
}

/** Returns the content for the component, with the blocks in the order of the page. */
export function contentOf(view: View, domainId: string): ConnectContent {
  const { page, language, words } = view;
  const { head, status, records, findings, checks, folds, links, recordsFirst } = blocksOf(view);
  const middle = recordsFirst ? [records, findings] : [findings, records];
  const content: Omit<ConnectContent, 'revision' | 'now'> = {
    language: language.tag,
    direction: 'ltr',
    domain: { id: domainId, hostname: page.hostname, status: page.status, mode: page.mode },
    names: namesOf(page),
    refresh_s: words.refreshS,
    blocks: [head, status, ...middle, checks, folds, links].filter((block) => block !== null),
    words: scriptWords(language),
  };
  return { revision: revisionOf(content), now: page.now, ...content };
}

function revisionOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
}

function headBlock({ page, language }: View): HeadBlock {
  const { page: texts } = language.texts;
  const { hostname, unicode_hostname, look_alike_hostname, status, mode, has_certificate } = page;
  const isServed = status === 'active' || (status === 'cert_failed' && has_certificate);
  const notes = [];
  if (unicode_hostname !== null) notes.push({ text: fill(texts.inDns, { hostname }), isWarning: false });
  if (look_alike_hostname !== null)
    notes.push({ text: fill(texts.lookAlike, { unicode: look_alike_hostname }), isWarning: true });
  return {
    kind: 'head',
    hostname: unicode_hostname ?? hostname,
    plate: mode === 'test' ? 'paper' : isServed ? 'fixed' : 'loose',
    test: mode === 'test' ? { title: texts.testTitle, text: texts.testText } : null,
    notes,
  };
}

const SPOKEN = { done: 'stepDone', now: 'stepNow', later: 'stepLater' } as const;

function statusBlock(view: View): StatusBlock {
  const { page, words, language, missing, fix } = view;
  const { page: texts } = language.texts;
  const { stepsDone } = words;
  const fault = fix ?? (missing?.isFault === true ? missing : null);
  const step = (key: (typeof STEPS)[number], index: number, done: number): Step => {
    const { title, now } = texts[key];
    const state = index < done ? 'done' : index === done ? 'now' : 'later';
    return {
      state,
      title,
      spoken: texts[SPOKEN[state]],
      text: state === 'now' && fault === null ? now : null,
    };
  };
  const isLive = page.status === 'active' && page.mode === 'live';
  const shown = page.unicode_hostname ?? page.hostname;
  return {
    kind: 'status',
    tone: words.tone,
    icon: words.icon,
    headline: words.headline,
    text: isSaidAbove(view) ? words.text : (fault?.title ?? null),
    steps:
      stepsDone === null
        ? null
        : { label: texts.steps, list: STEPS.map((key, index) => step(key, index, stepsDone)) },
    link: isLive
      ? { text: fill(texts.openHostname, { hostname: shown }), href: `https://${page.hostname}/` }
      : null,
  };
}

function checksBlock(view: View): ChecksBlock | null {
  const { page, words, language } = view;
  const { page: texts } = language.texts;
  const { last_checked_at, next_check_at, checkable, status } = page;
  if (!words.showsFindings || (!checkable && next_check_at === null)) return null;
  const sentence = (text: string, at: string): TimeSentence => ({
    text,
    time: shownTime(at, 'relative', language),
  });
  const times = [
    last_checked_at === null
      ? { text: texts.notChecked, time: null }
      : sentence(texts.lastChecked, last_checked_at),
    ...(next_check_at === null ? [] : [sentence(texts.nextCheck, next_check_at)]),
  ];
  const again = last_checked_at === null ? texts.checkNow : texts.checkAgain;
  return {
    kind: 'checks',
    label: texts.checks,
    result: isNotThereYet(page) ? forRecords(view, texts.notFoundYet) : null,
    times,
    button: checkable ? (status === 'cert_failed' ? texts.tryAgain : again) : null,
  };
}

function linksBlock({ page, language }: View): LinksBlock | null {
  const { page: texts } = language.texts;
  const { brand, app_name: app, status } = page;
  const isWaiting = status === 'pending_dns' || status === 'verifying';
  const hasEnd = Date.parse(page.now) < Date.parse(page.window_ends_at);
  const end = hasEnd
    ? { text: texts.closeUntil, time: shownTime(page.window_ends_at, 'local', language) }
    : { text: texts.close, time: null };
  const links =
    brand.support_url === null ? [] : [{ href: brand.support_url, text: fill(texts.contactApp, { app }) }];
  if (!isWaiting && links.length === 0) return null;
  return { kind: 'links', notes: isWaiting ? [end] : [], links };
}

/** Returns a time, with its words in UTC. In English, the day comes first, as in most countries. */
function shownTime(at: string, form: ShownTime['form'], { tag, texts }: Language): ShownTime {
  const format = new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return { at, utc: fill(texts.page.utc, { time: format.format(new Date(at)) }), form };
}

export function namesOf({
  hostname,
  unicode_hostname,
  look_alike_hostname,
  registrable,
}: ConnectPage): string[] {
  return [unicode_hostname, look_alike_hostname, `www.${hostname}`, hostname, registrable].filter(
    (name) => name !== null,
  );
}

export function scriptWords({ texts: { page } }: Language): ScriptWords {
  return {
    copied: page.copied,
    copy_failed: page.copyFailed,
    select_it: page.selectIt,
    just_now: page.justNow,
    soon: page.soon,
    offline: page.offline,
  };
}
