import type { ChangeField } from '../connect-texts/change-lines.ts';
import { COLOURS, type ColourName, PLAIN_FONTS, PLAIN_MONO } from '../look/tokens.ts';
import { html, Markup } from '../text/markup.ts';

/** The content of a mail, from which both of its parts are rendered. */
export interface MailContent {
  /** The BCP 47 tag of the language. */
  language: string;
  subject: string;
  /** The name on the plate: the hostname that the mail is about, or the name of the service. */
  plate: string;
  /** The name of the app that writes. Null if the service itself writes: its name is then on the plate. */
  sender: string | null;
  paragraphs: readonly MailParagraph[];
}

export interface MailParagraph {
  /** The lines of the text part. */
  lines: readonly string[];
  /** The label of the button for the URL in the last line. */
  button?: string;
  /** The fields of a record, which the HTML part shows as a table in place of all lines but the first. */
  fields?: readonly ChangeField[];
  /** True for small print below the box. */
  isNote?: boolean;
}

/** Renders the text part of a mail. */
export function mailText({ paragraphs }: Pick<MailContent, 'paragraphs'>): string {
  return `${paragraphs.map(({ lines }) => lines.join('\n')).join('\n\n')}\n`;
}

/** Matches a line that contains only a URL. A URL inside a sentence is not linked, because it may be part of an app's name. */
const URL_LINE = /^https?:\/\/[^\s<>"]+$/;

/** Splits a text into paragraphs at empty lines. A URL in the last line of a paragraph becomes a button. */
export function mailParagraphs(text: string, button: string): MailParagraph[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => ({ lines: paragraph.split('\n'), button }));
}

/** Renders the HTML part of a mail. Escapes every value, and loads nothing: no image, font or style sheet. */
export function mailHtml({ language, subject, plate, sender, paragraphs }: MailContent): string {
  const [first] = paragraphs;
  const body = paragraphs.filter(({ isNote }) => !isNote).map(bodyPart);
  const notes = paragraphs.filter(({ isNote }) => isNote).map(notePart);
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<style>${DARK}</style></head>
<body class="bg" style="margin:0;background:${GROUND}">
<div style="display:none;max-height:0;overflow:hidden">${first?.lines[0] ?? ''}</div>
<table ${WIDE} class="bg" style="background:${GROUND}"><tr><td align="center" style="padding:28px 12px">
<table ${WIDE} style="max-width:560px">
${sender === null ? '' : senderRow(sender)}
<tr><td class="card" style="border:1px solid ${LINE};border-radius:12px;background:${CARD};padding:20px">
${plateOf(plate)}
<h1 class="t" style="${SANS};margin:16px 0 0;font-size:18px;line-height:1.4;color:${TEXT}">${subject}</h1>
${body}</td></tr>
${notes.length === 0 ? '' : noteRow(notes)}</table></td></tr></table></body></html>
`.text;
}

function senderRow(name: string): Markup {
  return html`<tr><td class="t" style="${SANS};padding:0 4px 14px;font-size:14px;font-weight:600;color:${TEXT}">${name}</td></tr>`;
}

/** Draws the plate as a cell with a background, and its screws as two dots. */
function plateOf(name: string): Markup {
  const [plate, words, screws] = [light('plate'), light('on-plate'), light('screw')];
  const screw = html`<td width="14" aria-hidden="true" style="color:${screws};font-size:11px">&#9679;</td>`;
  return html`<table ${WIDE}><tr><td style="background:${plate};border-radius:9px;padding:14px 16px">
<table ${WIDE}><tr>${screw}
<td align="center" style="${SANS};color:${words};font-size:20px;line-height:1.2;font-weight:700;word-break:break-word">${name}</td>
${screw}</tr></table></td></tr></table>`;
}

function bodyPart(paragraph: MailParagraph): Markup {
  const { lines, button, fields } = paragraph;
  const url = urlOf(paragraph);
  const words = fields === undefined ? lines.slice(0, url === null ? undefined : -1) : lines.slice(0, 1);
  const isHeading = words.length > 1 || fields !== undefined;
  const style = html`${SANS};margin:16px 0 0;font-size:16px;line-height:1.55;color:${TEXT}`;
  return html`${words.length === 0 ? '' : html`<p class="t" style="${style}">${linesOf(words, isHeading)}</p>`}
${fields === undefined ? '' : fieldTable(fields)}${url === null ? '' : buttonOf(url, button ?? url)}`;
}

/** Renders a button, and below it the URL that it opens, so that a reader can read, check and type it. */
function buttonOf(url: string, label: string): Markup {
  const small = html`${SANS};margin:8px 0 0;font-size:13px;line-height:1.5;word-break:break-all;color:${MUTED}`;
  const style = html`${SANS};display:inline-block;padding:12px 20px;color:${light('on-fill')};font-size:16px;font-weight:600`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin-top:16px"><tr>
<td style="background:${light('fill')};border-radius:8px"><a href="${url}" style="${style};text-decoration:none">${label}</a></td>
</tr></table>
<p class="m" style="${small}"><a class="m" href="${url}" style="color:${MUTED}">${url}</a></p>`;
}

function noteRow(notes: readonly Markup[]): Markup {
  const style = html`${SANS};padding:16px 4px;font-size:13px;line-height:1.5;color:${MUTED}`;
  return html`<tr><td class="m" style="${style}">${notes}</td></tr>`;
}

function notePart(paragraph: MailParagraph): Markup {
  const { lines, button } = paragraph;
  const url = urlOf(paragraph);
  const link =
    url !== null && html`<a class="l" href="${url}" style="color:${light('accent')}">${button ?? url}</a>`;
  return html`<p style="margin:0 0 4px">${link || linesOf(lines, false)}</p>`;
}

function fieldTable(fields: readonly ChangeField[]): Markup {
  const rows = fields.map(({ label, value, effect }) => {
    const { background, look, name } = EFFECTS[effect ?? 'none'];
    const cell = html`padding:10px 14px;border-top:1px solid ${LINE};background:${background};font-size:14px;vertical-align:top`;
    const head = html`${SANS};${cell};width:84px;text-align:left;font-weight:400;color:${MUTED}`;
    return html`<tr><th scope="row" class="cell ${name}" style="${head}">${label}</th>
<td class="cell ${name}" style="${MONO};${cell};word-break:break-all;${look}">${value}</td></tr>`;
  });
  const style = html`margin-top:8px;border:1px solid ${LINE};border-top:0;border-collapse:separate`;
  return html`<table width="100%" cellpadding="0" cellspacing="0" class="cell" style="${style}">${rows}</table>`;
}

/** Returns the URL of a paragraph with a button; null if there is none. */
function urlOf({ lines, button }: MailParagraph): string | null {
  const last = lines.at(-1) ?? '';
  return button !== undefined && URL_LINE.test(last) ? last : null;
}

/** Returns the lines of a paragraph. The first line is the heading of what follows. */
function linesOf(lines: readonly string[], isHeading: boolean): Markup[] {
  return lines.map((line, index) => {
    if (index > 0) return html`<br>${line}`;
    return isHeading ? html`<b>${line}</b>` : html`${line}`;
  });
}

function light(name: ColourName): string {
  return COLOURS[name][0];
}

/** The attributes of a table that only places its cells. */
const WIDE = new Markup('role="presentation" width="100%" cellpadding="0" cellspacing="0"');
const [GROUND, CARD, LINE] = [light('ground'), light('card'), light('line')];
const [TEXT, MUTED] = [light('text'), light('muted')];
/** Single quotes around the names of fonts, because attributes have double quotes. */
const SANS = new Markup(`font-family:${PLAIN_FONTS.replaceAll('"', "'")}`);
const MONO = new Markup(`font-family:${PLAIN_MONO.replaceAll('"', "'")}`);

/** The looks of a field by its effect. `name` is the class for the dark theme. */
const EFFECTS = {
  none: { name: 'plain', background: CARD, look: `color:${TEXT}` },
  removed: {
    name: 'old',
    background: light('bad-soft'),
    look: `color:${light('bad')};text-decoration:line-through`,
  },
  set: { name: 'new', background: light('good-soft'), look: `color:${light('good')};font-weight:700` },
} as const;

const DARK = new Markup(`@media (prefers-color-scheme: dark) {
.bg { background: ${dark('ground')}; } .t { color: ${dark('text')}; } .m { color: ${dark('muted')}; } .l { color: ${dark('accent')}; }
.card { background: ${dark('card')}; border-color: ${dark('line')}; } .cell { border-color: ${dark('line')}; }
.plain { background: ${dark('card')}; color: ${dark('text')}; } .old { background: ${dark('bad-soft')}; color: ${dark('bad')}; }
.new { background: ${dark('good-soft')}; color: ${dark('good')}; }
}`);

function dark(name: ColourName): string {
  return `${COLOURS[name][1]} !important`;
}
