/** A table as a migration makes it: the same in both databases. */
export type NewTable = readonly [table: string, key: readonly string[], columns: readonly NewColumn[]];

export type NewColumn = [name: string, type: 'id' | 'text' | 'instant' | 'int' | 'serial', nullable?: 'null'];
