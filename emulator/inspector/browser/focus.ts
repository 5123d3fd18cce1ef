let was_given = false;
addEventListener('focusin', () => {
  was_given = true;
});

/** Gives the focus a place where it has lost its own: what had it is gone, or no longer to be seen. */
export function catchFocus(place: HTMLElement | null | undefined): void {
  const active = document.activeElement;
  const is_lost = active === null || active === document.body || active.getClientRects().length === 0;
  // On a page that was just opened nothing has it yet: Tab begins at the top.
  if (was_given && is_lost) place?.focus({ preventScroll: true });
}
