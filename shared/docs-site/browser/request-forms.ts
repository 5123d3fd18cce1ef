/**
 * Draws the forms that send the example requests of a page to the server of the page. Only the emulator's pages have such forms, with the
 * API key that every emulator has. A form takes nothing from the page's URL, and sends a request only when the reader presses the form's
 * button.
 */
export function addRequestForms(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.try')) drawForm(place);
}

function drawForm(place: HTMLElement): void {
  const { method = '', address = '', body = '', key = '' } = place.dataset;
  const form = document.createElement('form');
  form.innerHTML = `<p>Sends the request to this emulator with its test key.</p>
<label>Address<input name="address" spellcheck="false" autocomplete="off"></label>
${body === '' ? '' : '<label>Body<textarea name="body" spellcheck="false"></textarea></label>'}
<button class="btn lead" type="submit"></button>
<div class="result" aria-live="polite"></div>`;
  const fields = form.elements;
  const line = fields.namedItem('address') as HTMLInputElement;
  const text = fields.namedItem('body') as HTMLTextAreaElement | null;
  const button = form.querySelector('button') as HTMLButtonElement;
  const result = form.querySelector('.result') as HTMLElement;
  button.textContent = `Send ${method}`;
  line.value = address;
  if (text !== null) {
    text.value = body;
    text.rows = body.split('\n').length;
  }
  const send: Send = async (to, init = {}) => {
    const url = addressOf(to);
    if (url === null) throw new TypeError('not an address of this server');
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    return fetch(url, { ...init, credentials: 'omit', headers });
  };
  form.addEventListener('focusin', () => void fillInId(line, send), { once: true });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await fillInId(line, send);
      result.replaceChildren(...(await outcomeOf(send, method, line.value, text?.value ?? null)));
    } finally {
      button.disabled = false;
    }
  });
  const fold = document.createElement('details');
  fold.innerHTML = '<summary class="btn">Try it in your emulator</summary>';
  fold.append(form);
  place.append(fold);
}

type Send = (to: string, init?: RequestInit) => Promise<Response>;

/** Replaces `{id}` in the form's path with the newest id from the list at that path, if the list is not empty. */
async function fillInId(line: HTMLInputElement, send: Send): Promise<void> {
  const [list = '', rest] = line.value.split('/{id}');
  if (rest === undefined) return;
  const response = await send(`${list}?limit=1`).catch(() => null);
  const { data = [] } = response?.ok ? await response.json() : {};
  const id = data[0]?.id;
  if (typeof id === 'string' && line.value.includes('{id}')) line.value = line.value.replace('{id}', id);
}

async function outcomeOf(send: Send, method: string, address: string, body: string | null): Promise<Node[]> {
  if (address.includes('{id}'))
    return [paragraph('There is nothing to send it for yet. Add a domain first.')];
  if (addressOf(address) === null) return [paragraph('The address must begin with /v1/.')];
  try {
    const response = await send(address, { method, body });
    const text = await response.text();
    return [paragraph(`Status ${response.status}`), code(shown(text))];
  } catch {
    return [paragraph('The emulator does not respond. Is it still running?')];
  }
}

/**
 * Returns the URL of a text that the reader may have edited. Returns null for other servers, because the API key must go to this server
 * only.
 */
function addressOf(text: string): URL | null {
  const url = URL.canParse(text, location.origin) ? new URL(text, location.origin) : null;
  return url?.origin === location.origin ? url : null;
}

function shown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text === '' ? '(no body)' : text;
  }
}

function paragraph(words: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = words;
  return element;
}

function code(text: string): HTMLElement {
  const element = document.createElement('pre');
  element.tabIndex = 0;
  element.textContent = text;
  return element;
}
