/** What a run is written as, beside the PNG of a chart. */
export type ExportForm = 'fullhouse' | 'html' | 'pdf' | 'csv' | 'junit' | 'markdown';

/** What can be chosen: a form, the same without what tells who the customer is, or the dialog that makes a snapshot. */
export type ExportKind = ExportForm | `${ExportForm}:redacted` | 'snapshot';

export function formOf(kind: Exclude<ExportKind, 'snapshot'>): {
  readonly form: ExportForm;
  readonly isRedacted: boolean;
} {
  const [form = '', redacted] = kind.split(':');
  return { form: form as ExportForm, isRedacted: redacted === 'redacted' };
}

export const extensions: Readonly<Record<ExportForm, string>> = {
  fullhouse: 'fullhouse',
  html: 'html',
  pdf: 'pdf',
  csv: 'csv',
  junit: 'xml',
  markdown: 'md',
};
