/**
 * Our mark: a plate with an N between two screws. The custom properties `--mark`, `--mark-n` and `--mark-s` set its colours on a background
 * that needs other ones.
 */
export const MARK =
  '<svg class="mark" viewBox="0 0 32 24" aria-hidden="true"><rect class="plate-of" width="32" height="24" rx="6"/><path class="n-of" d="M10.5 18V6h3.5l4.4 6.9V6h3.1v12H18l-4.4-6.9V18z"/><path class="screws-of" d="M4 12a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0zM24.2 12a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z"/></svg>';
