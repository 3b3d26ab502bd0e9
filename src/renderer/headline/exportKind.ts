/** What a run can be exported as, beside the PNG of a chart. */
export type ExportKind = 'fullhouse' | 'html' | 'csv';
