let wasGiven = false;
addEventListener('focusin', () => {
  wasGiven = true;
});

/** Focuses an element if the focus was lost because the focused element was removed or hidden. */
export function restoreFocus(place: HTMLElement | null | undefined): void {
  const active = document.activeElement;
  const isLost = active === null || active === document.body || active.getClientRects().length === 0;
  // Does nothing on a page that was just opened, where no element had the focus yet and Tab starts at the top.
  if (wasGiven && isLost) place?.focus({ preventScroll: true });
}
