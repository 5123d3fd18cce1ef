/** Opens the parts of new elements that the visitor had opened in the elements before them. */
export function keepOpen(before: Element, after: Element): void {
  for (const { id } of before.querySelectorAll('details[open]'))
    after.querySelector(`#${id}`)?.setAttribute('open', '');
}

/** Moves the focus to the element with the id of an element that is gone. If there is none, moves it to the headline. */
export function focusAgain(root: Document | ShadowRoot, { id }: Element): void {
  const again = root.getElementById(id) ?? root.getElementById('headline');
  again?.focus({ preventScroll: true });
}

/** Returns the texts that are announced when they change: the headline, and the result of a check. */
export function outcomes(root: Document | ShadowRoot): string[] {
  return ['headline', 'result'].map((id) => root.getElementById(id)?.textContent ?? '');
}
