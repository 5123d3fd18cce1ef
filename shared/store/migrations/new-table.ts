/** A table to create, in a form that suits both databases. */
export type NewTable = readonly [table: string, key: readonly string[], columns: readonly NewColumn[]];

export type NewColumn = [name: string, type: 'id' | 'text' | 'instant' | 'int' | 'serial', nullable?: 'null'];
