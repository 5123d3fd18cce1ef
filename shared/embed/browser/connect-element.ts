import { announceIn } from '../../connect/browser/announce.ts';
import { answerClicks } from '../../connect/browser/on-click.ts';
import { createPoller, type Look } from '../../connect/browser/poller.ts';
import { writeTimes } from '../../connect/browser/times.ts';
import type { ConnectContent, ScriptWords } from '../../connect/content/connect-content.ts';
import { sendEvent } from './connect-events.ts';
import { drawContent } from './draw-content.tsx';
import { jsx } from './jsx-runtime.ts';
import { type ContentAddress, postCheck, type ReceivedContent, requestContent } from './request-content.ts';
import { STYLE } from './style.ts';

/** The base class. On a server, it is an empty class, because a server has no `HTMLElement` and never creates the element. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
const TIMES_EVERY_MS = 5_000;
const FAILURES_SHOWN = 2;

/**
 * `<nameplate-connect token="ct_…" base-url="https://…">` shows the records and the live status of one domain. It shows its children until
 * the first content arrives. It dispatches `nameplate:status`, an event for each status such as `nameplate:active`,
 * `nameplate:token-expired` and `nameplate:error`.
 */
export class NameplateConnect extends Base {
  static observedAttributes = ['token', 'base-url', 'lang'];

  /**
   * Returns a new token when the current token has expired. If `getToken` is null or fails, the component stops and dispatches
   * `nameplate:token-expired`.
   */
  getToken: (() => string | Promise<string>) | null = (this as Partial<NameplateConnect>).getToken ?? null;

  #content: ConnectContent | null = null;
  #provider = '';
  /** The token that `getToken` returned last; empty once a request with it has succeeded. */
  #renewed = '';
  #failures = 0;
  #readAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #body = jsx('div', { part: 'body', className: 'body', children: jsx('slot', {}) });
  readonly #offline = jsx('p', { part: 'offline', className: 'notice wait', hidden: true });
  readonly #announcer = jsx('p', { className: 'hidden', role: 'status' });
  readonly #poller = createPoller(() => this.#look());

  get token(): string {
    return this.getAttribute('token') ?? '';
  }

  set token(token: string) {
    this.setAttribute('token', token);
  }

  /** The base URL of the API: `base_url` in the response with the token. */
  get baseUrl(): string {
    return this.getAttribute('base-url') ?? '';
  }

  set baseUrl(url: string) {
    this.setAttribute('base-url', url);
  }

  connectedCallback(): void {
    if (this.shadowRoot === null) this.#attach();
    this.#adoptProperties();
    this.#timer = setInterval(() => this.#writeTimes(), TIMES_EVERY_MS);
    this.#restart();
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
    this.#poller.stop();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && this.shadowRoot !== null && before !== after) this.#restart();
  }

  /** Requests the current content now, for example after the visitor has come back from a DNS provider. */
  refresh(): void {
    this.#restart();
  }

  /**
   * Turns properties that the page set before the component was defined into attributes. Otherwise they would hide the component's
   * accessors.
   */
  #adoptProperties(): void {
    for (const name of ['token', 'baseUrl'] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const { [name]: value } = this;
      Reflect.deleteProperty(this, name);
      this[name] = value;
    }
  }

  #attach(): void {
    const root = this.attachShadow({ mode: 'open' });
    // Uses a constructed stylesheet, because the page's content security policy could block a <style> element.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#body.setAttribute('aria-busy', 'true');
    root.append(this.#body, this.#offline, this.#announcer);
    answerClicks(
      root,
      () => this.#content?.words as ScriptWords,
      (text) => this.#announce(text),
    );
    root.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest('#check-again');
      if (button !== null) void this.#check(button);
    });
    root.addEventListener('change', ({ target }) => {
      this.#provider = (target as HTMLSelectElement).value;
      this.#restart();
    });
  }

  #restart(): void {
    this.#poller.stop();
    if (this.token !== '' && this.baseUrl !== '') this.#poller.start();
  }

  #address(): ContentAddress {
    const lang = this.closest('[lang]')?.getAttribute('lang') ?? '';
    return { baseUrl: this.baseUrl, token: this.token, lang, provider: this.#provider };
  }

  async #look(): Promise<Look | null> {
    const { token } = this;
    const outcome = await requestContent(this.#address(), this.#content?.revision ?? '');
    // If the app has set another token during the request, another poll has started, so ignore this result.
    if (token !== this.token || !this.isConnected) return null;
    const refreshMs = (this.#content?.refresh_s ?? 5) * 1000;
    if (!outcome.ok) {
      if (await this.#hasFailed(outcome)) return null;
      return { refreshMs, hasChanged: false, failed: true, waitMs: outcome.waitMs };
    }
    this.#renewed = '';
    this.#failures = 0;
    this.#offline.hidden = true;
    if (outcome.body === null) return { refreshMs, hasChanged: false, failed: false, waitMs: 0 };
    this.#show(outcome.body);
    const { refresh_s } = outcome.body;
    return {
      refreshMs: refresh_s === null ? null : refresh_s * 1000,
      hasChanged: true,
      failed: false,
      waitMs: 0,
    };
  }

  /** @returns true if the token has expired, so that polling has to stop. */
  async #hasFailed({ problem }: Extract<ReceivedContent<unknown>, { ok: false }>): Promise<boolean> {
    if (problem.code === 'unauthorized') {
      await this.#renewToken();
      return true;
    }
    this.#failures += 1;
    sendEvent(this, 'error', problem);
    const isShown = this.#failures >= FAILURES_SHOWN && this.#content !== null;
    if (isShown && this.#offline.hidden) this.#announce(this.#content?.words.offline ?? '');
    this.#offline.hidden = !isShown;
    return false;
  }

  async #renewToken(): Promise<void> {
    const expired = this.token;
    // If a token from `getToken` is refused too, does not request another token, because the requests would never end.
    const renewed = expired === this.#renewed ? null : await this.#newToken();
    if (this.token !== expired) return;
    if (!renewed || renewed === expired) return sendEvent(this, 'token-expired', {});
    this.#renewed = renewed;
    this.token = renewed;
  }

  /** @returns null if the page has no `getToken`, or if it throws or returns something else. */
  async #newToken(): Promise<string | null> {
    try {
      const token: unknown = await this.getToken?.();
      return typeof token === 'string' ? token : null;
    } catch (error) {
      console.error(error);
      return null;
    }
  }

  #show(content: ConnectContent): void {
    const before = this.#content;
    this.#content = content;
    this.#readAt = Date.now();
    this.#body.lang = content.language;
    this.#body.dir = content.direction;
    this.#body.removeAttribute('aria-busy');
    this.#offline.textContent = content.words.offline;
    const news = drawContent(this.#body, before, content);
    if (news !== '') this.#announce(news);
    this.#writeTimes();
    const { id: domainId, hostname, status, mode } = content.domain;
    const previousStatus = before?.domain.id === domainId ? before.domain.status : null;
    if (status === previousStatus) return;
    for (const name of ['status', status])
      sendEvent(this, name, { domainId, hostname, status, previousStatus, mode });
  }

  /** Requests a check, and shows the answer beside the button. Does not disable the button, because it would lose the focus. */
  async #check(button: Element): Promise<void> {
    if (button.hasAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    const outcome = await postCheck(this.#address());
    if (!outcome.ok) await this.#hasFailed(outcome);
    this.#restart();
    const said = outcome.ok ? (outcome.body?.notice ?? '') : (this.#content?.words.offline ?? '');
    this.#announce(said);
    const notice = this.shadowRoot?.getElementById('check-notice');
    if (notice) notice.textContent = said;
    button.removeAttribute('aria-disabled');
  }

  #announce(text: string): void {
    announceIn(this.#announcer, text);
  }

  #writeTimes(): void {
    if (this.#content === null) return;
    const { now, language, words } = this.#content;
    // The visitor's clock may be wrong, so it is only used to measure the time since the response.
    writeTimes(this.#body, Date.parse(now) + Date.now() - this.#readAt, language, words);
  }
}
