let seen: IntersectionObserver | undefined;

/** Pauses the icon that turns while it is out of view. Call this again after the status was replaced. */
export function restAnimation(): void {
  seen?.disconnect();
  seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target.classList.toggle('unseen', !isIntersecting);
  });
  for (const state of document.querySelectorAll('.state')) seen.observe(state);
  noteWatched();
}

/** Pauses the animation while the tab is in the background. */
function noteWatched(): void {
  document.documentElement.classList.toggle('unwatched', document.hidden);
}

document.addEventListener('visibilitychange', noteWatched);
