let seen: IntersectionObserver | undefined;

/** Pauses the animation of the steps while they are out of view. Call this again after the steps were replaced. */
export function restAnimation(): void {
  seen?.disconnect();
  seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target.classList.toggle('unseen', !isIntersecting);
  });
  for (const steps of document.querySelectorAll('.steps')) seen.observe(steps);
  noteWatched();
}

/** Pauses the animation while the tab is in the background. */
function noteWatched(): void {
  document.documentElement.classList.toggle('unwatched', document.hidden);
}

document.addEventListener('visibilitychange', noteWatched);
