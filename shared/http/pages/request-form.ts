import { html } from '../../core/text/markup.ts';

/**
 * Returns the place for a form that sends a request to this server, from a comment such as `try: POST /v1/domains {"hostname":"…"}`. The
 * page's script draws the form. Returns an empty string for other comments.
 * @param key the API key that the request carries.
 */
export function requestForm(comment: string, key: string): string {
  const [, method = '', address = '', body = ''] =
    /^try: (GET|POST|PATCH|DELETE) (\/v1\/\S+)(?: (\{.*\}))?$/s.exec(comment) ?? [];
  if (method === '') return '';
  const shownBody = body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2);
  return html`<div class="try" data-method="${method}" data-address="${address}" data-body="${shownBody}" data-key="${key}"></div>
`.text;
}
