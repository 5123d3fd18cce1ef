import type { IconName } from '../../core/look/icons.ts';
import type { Tone } from '../../core/look/status-look.ts';

/**
 * The content of the connect page and of the component `<nameplate-connect>`, in the visitor's language. Both only render this content, and
 * have no texts or rules of their own. The component gets the content as JSON, so its fields are in snake_case.
 */
export interface ConnectContent {
  /** A digest of the content, without the times at which it was created and read. */
  revision: string;
  /** The server's time, because the visitor's clock may be wrong. */
  now: string;
  /** BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  domain: { id: string; hostname: string; status: string; mode: string };
  /** The names of the domain that texts contain, each with its own text direction. */
  names: readonly string[];
  /** Seconds until the next poll; null if nothing will change by itself. */
  refresh_s: number | null;
  /** The blocks in the order in which they are shown. Each kind occurs at most once. */
  blocks: readonly ContentBlock[];
  words: ScriptWords;
}

export type ContentBlock =
  | HeadBlock
  | StatusBlock
  | RecordsBlock
  | FindingsBlock
  | ChecksBlock
  | FoldsBlock
  | LinksBlock;

/** The texts that the scripts of the page and of the component show. */
export interface ScriptWords {
  copied: string;
  copy_failed: string;
  select_it: string;
  just_now: string;
  soon: string;
  offline: string;
}

export interface HeadBlock {
  kind: 'head';
  hostname: string;
  /** How the plate with the hostname looks: fixed with screws once visitors reach the app, and of paper for a test domain. */
  plate: 'fixed' | 'loose' | 'paper';
  /** Explains what a test domain is; null for a live domain. */
  test: { title: string; text: string } | null;
  /** Sentences below the hostname. */
  notes: readonly { text: string; isWarning: boolean }[];
}

export interface StatusBlock {
  kind: 'status';
  tone: Tone;
  icon: IconName;
  headline: string;
  text: string | null;
  steps: { label: string; list: readonly Step[] } | null;
  link: ContentLink | null;
}

export interface Step {
  state: 'done' | 'now' | 'later';
  title: string;
  /** The state in words, for screen readers. */
  spoken: string;
  /** Says what we do in the current step; null in the other steps, and if a fault has to be fixed first. */
  text: string | null;
}

export interface ContentLink {
  text: string;
  href: string;
}

export interface RecordsBlock {
  kind: 'records';
  title: string;
  /** The offer to set the records through the DNS provider (Domain Connect). `waits` is shown once the visitor has opened the link. */
  one_click: { text: string; link: ContentLink; alternative: string; waits: string } | null;
  /** The actions of the visitor, in order. */
  ways: readonly Way[];
  caution: string | null;
}

/** One of the numbered actions with which a visitor sets the records. */
export interface Way {
  title: string;
  link: ContentLink | null;
  records: readonly RecordCardContent[];
  text: string | null;
}

/** The parts of the page of which only the title is visible at first. */
export interface FoldsBlock {
  kind: 'folds';
  list: readonly Fold[];
}

export interface Fold {
  id: 'records' | 'steps' | 'providers' | 'move';
  title: string;
  parts: readonly { text: string | null; record: RecordCardContent }[];
  /** The steps in the provider's panel. */
  steps: readonly string[];
  providers: ProviderChoice | null;
}

export interface ProviderChoice {
  label: string;
  chosen: string;
  list: readonly { id: string; name: string }[];
}

export interface RecordCardContent {
  title: string | null;
  fields: readonly ContentField[];
}

export interface ContentField {
  label: string;
  /** The value of the field; null if only the old value is shown. */
  value: string | null;
  /** A value to remove, shown struck out. */
  old: string | null;
  copy: CopyWords | null;
  tip: string | null;
}

/** The label of a copy button, its name for screen readers, and the text that is announced after the copy. */
export interface CopyWords {
  label: string;
  name: string;
  said: string;
}

export interface FindingsBlock {
  kind: 'findings';
  title: string;
  list: readonly FindingContent[];
}

export interface FindingContent {
  /** A status reason, such as `dns_record_mismatch`. */
  code: string;
  tone: 'wait' | 'bad' | 'quiet';
  title: string;
  meaning: string;
  changes: readonly RecordCardContent[];
  /** The found and the expected value. Empty if a change already shows them. */
  compared: readonly ContentField[];
  hint: { label: string; text: string };
}

export interface ChecksBlock {
  kind: 'checks';
  label: string;
  result: string | null;
  times: readonly TimeSentence[];
  /** The label of the button; null if there is nothing to check. */
  button: string | null;
}

/** A sentence with `{time}` in it, or without a time. */
export interface TimeSentence {
  text: string;
  time: ShownTime | null;
}

export interface ShownTime {
  /** RFC 3339. */
  at: string;
  /** The time in UTC and in words. The script replaces it. */
  utc: string;
  /** How the script shows the time: relative to now, or as a date in the visitor's time zone. */
  form: 'relative' | 'local';
}

export interface LinksBlock {
  kind: 'links';
  notes: readonly TimeSentence[];
  links: readonly ContentLink[];
}

/** The body of the response to "Check now". */
export interface CheckResponse {
  /** The sentence that is shown to the visitor. */
  notice: string;
  is_queued: boolean;
}
