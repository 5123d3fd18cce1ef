/** Takes the lines of a log. */
export interface LineSink {
  /** Never waits or throws: if too many lines are held already, or after `close`, the line is dropped. */
  write(line: string): void;
  /** Writes the held lines, for two seconds at most. */
  close(): Promise<void>;
}

export interface SinkEvents {
  onDropped(lines: number): void;
  onFailure(error: unknown): void;
}
