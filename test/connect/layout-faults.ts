import type { Page } from 'playwright-core';

/** A name without a place to break. */
export const LONG_NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbea';
/** A name that runs from right to left and ends with characters that would move next to other text. */
export const RTL_NAME = 'متجر الأمل (שלום) 24!';
/** The longest hostname: 253 characters. */
export const LONG_HOSTNAME = `${['a', 'b', 'c'].map((letter) => `${letter.repeat(63)}.`).join('')}${'d'.repeat(49)}.example.com`;

/** Scripts in a page share these functions. They also walk through shadow roots, because the component has one. */
const TOOLS = `
  const elements = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      elements.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document.body);
  const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? null;
  const ancestors = (element) => {
    const found = [];
    for (let each = element; each; each = parentOf(each)) found.push(each);
    return found;
  };
  const styleOf = (element) => getComputedStyle(element);
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const shown = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 120);
  const textsOf = (element) =>
    [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
`;

/**
 * Returns the pixels by which the page scrolls sideways, the texts that are cut off without a title, that leave their button or heading, or
 * that lie on one another.
 */
const LAYOUT = `(() => {
  ${TOOLS}
  const found = [];
  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) found.push(sideways + ' pixels to scroll sideways');
  const isLeftOut = (element) =>
    element.closest('svg, option, script, style, template') !== null || !isSeen(element) ||
    // A visually hidden text is one pixel wide.
    ancestors(element).some((each) => styleOf(each).clipPath.startsWith('inset(50%'));
  for (const element of elements) {
    if (isLeftOut(element) || element.innerText?.trim() === '') continue;
    const { overflowX, textOverflow } = styleOf(element);
    const isTitled = ancestors(element).some((each) => each.title || each.ariaLabel);
    if (['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1 && !isTitled)
      found.push('cut off (' + element.scrollWidth + ' of ' + element.clientWidth + '): ' + shown(element));
  }
  const boxes = [];
  for (const element of elements) {
    const isFloating = ancestors(element).some((each) => ['fixed', 'sticky'].includes(styleOf(each).position));
    if (isLeftOut(element) || textsOf(element).length === 0) continue;
    const holder = element.closest('button, .btn, h1, h2, h3, th, summary, .st');
    const clips = ancestors(element).filter((each) => styleOf(each).overflowX !== 'visible');
    for (const text of textsOf(element)) {
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        let { left, right, top, bottom } = rect;
        const around = holder?.getBoundingClientRect();
        const isInside = clips.some((each) => holder !== null && holder.contains(each));
        if (around && !isInside && (right > around.right + 1 || left < around.left - 1))
          found.push('text leaves its box: ' + shown(holder));
        for (const each of clips) {
          const clip = each.getBoundingClientRect();
          [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
          [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
        }
        // A glyph's box is higher than its line, so boxes of close lines meet.
        const inset = (bottom - top) / 4;
        [left, right, top, bottom] = [left + 1, right - 1, top + inset, bottom - inset];
        if (right > left && bottom > top && !isFloating) boxes.push({ element, left, right, top, bottom });
      }
    }
  }
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
        found.push('texts overlap: ' + shown(one.element) + ' and ' + shown(other.element));
    }
  }
  return [...new Set(found)];
})()`;

/**
 * Returns the parts of a page that cannot be seen with forced colours: states without words, texts and icons of low contrast, and chosen
 * controls that look like the others.
 */
const FORCED = `(() => {
  ${TOOLS}
  const numbers = (colour) => colour.match(/[\\d.]+/g)?.map(Number) ?? [];
  const luminance = (colour) => {
    const [red, green, blue] = numbers(colour).map((each) => each / 255).map((each) => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const backgroundOf = (element) =>
    ancestors(element).map((each) => styleOf(each).backgroundColor).find((each) => (numbers(each)[3] ?? 1) > .5) ?? styleOf(document.body).backgroundColor;
  const found = [];
  for (const element of elements) {
    if (!isSeen(element)) continue;
    if (element.matches('.st') && (element.innerText.trim() === '' || element.querySelector('svg') === null))
      found.push('a state without words or icon: ' + shown(element));
    const below = backgroundOf(element);
    if (element.matches('svg.i')) {
      const drawn = [element, ...element.querySelectorAll('*')]
        .flatMap((each) => [styleOf(each).fill, styleOf(each).stroke])
        .filter((each) => each !== 'none');
      if (!drawn.some((each) => contrast(each, below) >= 3)) found.push('an icon of low contrast: ' + shown(element));
    } else if (textsOf(element).length > 0 && contrast(styleOf(element).color, below) < 4.5 && !element.closest('svg, :disabled'))
      found.push('a text of low contrast: ' + shown(element));
    const chosen = ['aria-current', 'aria-selected', 'aria-pressed'].find((name) =>
      !['false', null].includes(element.getAttribute(name)));
    if (chosen === undefined) continue;
    const look = (each) => {
      const { color, borderWidth, borderStyle, borderColor, fontWeight, textDecorationLine, outlineStyle } = styleOf(each);
      const marks = ['::before', '::after'].map((name) => getComputedStyle(each, name).content);
      return JSON.stringify([color, backgroundOf(each), borderWidth, borderStyle, parseFloat(borderWidth) > 0 && borderColor, fontWeight, textDecorationLine, outlineStyle, marks, each.querySelectorAll('svg').length]);
    };
    const group = element.closest('nav, [role="tablist"], ul, ol, .tools, .range') ?? parentOf(element);
    const other = [...group.querySelectorAll(element.tagName)].find((each) =>
      each !== element && isSeen(each) && ['false', null].includes(each.getAttribute(chosen)) && each.className === element.className);
    if (other !== undefined && look(other) === look(element)) found.push(chosen + ' is not visible: ' + shown(element));
  }
  return found;
})()`;

/** Returns the texts with right-to-left letters that can reorder the words and the punctuation beside them. */
const BIDI = `((names) => {
  ${TOOLS}
  const letters = /[\\u0590-\\u08ff]/;
  const isIsolated = (element) => {
    const { display, unicodeBidi } = styleOf(element);
    return display !== 'inline' || unicodeBidi.includes('isolate') || unicodeBidi === 'plaintext';
  };
  const found = [];
  for (const element of elements) {
    if (!isSeen(element) || element.closest('option, pre, script, style, textarea') !== null) continue;
    for (const text of textsOf(element)) {
      if (!letters.test(text.data)) continue;
      const holder = ancestors(element).find(isIsolated);
      const rest = holder.innerText.replace(/\\u2068[^\\u2069]*\\u2069/g, '');
      if (letters.test(rest) && names.reduce((left, name) => left.replaceAll(name, ''), rest).trim() !== '') found.push('not isolated: ' + shown(holder));
    }
  }
  return [...new Set(found)];
})`;

interface Stop {
  name: string;
  problem: string | null;
  isFirst: boolean;
}

/** Describes the focused element: whether it has an outline, is in view, and follows the element of the previous call in the document. */
const FOCUSED = `(() => {
  ${TOOLS}
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const isFirst = element === document.body || element === globalThis.firstStop;
  globalThis.firstStop ??= element;
  const { outlineStyle, outlineWidth } = styleOf(element);
  const { left, top, width, height } = element.getBoundingClientRect();
  const root = element.getRootNode();
  const hit = root.elementFromPoint(left + width / 2, top + Math.min(height / 2, 8));
  const rects = [...element.getClientRects()];
  const hits = rects.map((rect) => root.elementFromPoint(rect.left + rect.width / 2, rect.top + Math.min(rect.height / 2, 8)));
  const isOver = (each) => each !== null && (element.contains(each) || each.contains(element));
  const last = globalThis.lastStop;
  globalThis.lastStop = element;
  const isBack = last?.isConnected && last.getRootNode() === root &&
    (last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
  const problem =
    outlineStyle === 'none' || parseFloat(outlineWidth) === 0 ? 'no outline' :
    width === 0 || height === 0 ? 'no size' :
    ![hit, ...hits].some(isOver) ? 'covered' :
    isBack ? 'before the previous stop' : null;
  return { name: shown(element), problem, isFirst };
})()`;

/** Returns the widths of a window of 1280 pixels at 100, 200 and 400 % zoom, and of a phone. */
const WIDTHS = [1280, 640, 375, 320];

/** Returns the faults of the page's layout at each width. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await drawn(page);
    found.push(...(await page.evaluate<string[]>(LAYOUT)).map((fault) => `${width}: ${fault}`));
  }
  return found;
}

/** Returns what a reader with forced colours cannot see, in light and dark. */
export async function forcedColourFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    const here = await page.evaluate<string[]>(FORCED);
    found.push(...here.map((fault) => `forced, ${colorScheme}: ${fault}`));
  }
  await page.emulateMedia({ forcedColors: null, colorScheme: null });
  return found;
}

/** Returns the names from right to left that are not isolated from the text around them. @param names all such names on the page. */
export async function bidiFaults(page: Page, names: readonly string[] = [RTL_NAME]): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await drawn(page);
  return page.evaluate<string[]>(`${BIDI}(${JSON.stringify(names)})`);
}

/** Presses Tab until the focus leaves the page. Returns the stops that are not visible or out of order, and the names of all stops. */
export async function tabFaults(page: Page): Promise<{ found: string[]; stops: string[] }> {
  await page.evaluate(
    'document.activeElement.blur(); globalThis.firstStop = globalThis.lastStop = undefined',
  );
  const found: string[] = [];
  const stops: string[] = [];
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const { name, problem, isFirst } = await page.evaluate<Stop>(FOCUSED);
    if (isFirst) break;
    stops.push(name);
    if (problem !== null) found.push(`Tab: ${problem}: ${name}`);
  }
  return { found, stops };
}

/**
 * Opens a page on a phone while the responses to some requests are late.
 * @returns by how much the parts of the page have moved. Google's limit for a good page is 0.1.
 */
export async function layoutShift(page: Page, url: string, late: RegExp): Promise<number> {
  await page.setViewportSize({ width: 412, height: 823 });
  await page.addInitScript(`globalThis.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
      .observe({ type: 'layout-shift', buffered: true });`);
  await page.route(late, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(LATE_MS);
  await page.unroute(late);
  return page.evaluate<number>('shift');
}
const LATE_MS = 700;

/** Waits for two frames. A browser may draw none for a while, and each measurement computes the layout anyway, so the wait has a limit. */
const drawn = (page: Page) =>
  page.evaluate(
    'new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 2_000); })',
  );
