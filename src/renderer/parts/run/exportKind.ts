/** Export formats of a run, besides the PNG of a chart. */
export type ExportForm = 'fullhouse' | 'html' | 'pdf' | 'csv' | 'junit' | 'markdown';

/** Menu choices: a format, the same redacted, or the snapshot dialog. */
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
