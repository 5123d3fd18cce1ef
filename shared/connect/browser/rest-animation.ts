let seen: IntersectionObserver | undefined;

/** Pauses the animation of the steps while nobody can see it. To be called again when the steps were replaced. */
export function restAnimation(): void {
  seen?.disconnect();
  seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target.classList.toggle('unseen', !isIntersecting);
  });
  for (const steps of document.querySelectorAll('.steps')) seen.observe(steps);
  noteWatched();
}

/** A page in a background tab is not watched. */
function noteWatched(): void {
  document.documentElement.classList.toggle('unwatched', document.hidden);
}

document.addEventListener('visibilitychange', noteWatched);
