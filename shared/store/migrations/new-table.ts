/** A table to create, described so that both databases can have it. */
export type NewTable = readonly [table: string, key: readonly string[], columns: readonly NewColumn[]];

export type NewColumn = [name: string, type: 'id' | 'text' | 'instant' | 'int' | 'serial', nullable?: 'null'];
