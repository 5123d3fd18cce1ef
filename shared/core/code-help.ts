/** The help on the page of an error code or a status reason, in Markdown. */
export interface CodeHelp {
  causes: readonly Cause[];
  /** Links to pages that help further, relative to the page. */
  related: readonly string[];
}

/** One of several possible causes of the same code. */
interface Cause {
  cause: string;
  /** Says how to tell this cause from the others. */
  tell: string;
  /** Says how to fix it, with example values. */
  fix: string;
}
