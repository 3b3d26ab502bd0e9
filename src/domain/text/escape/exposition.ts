import { visible } from '../visibleText';

/** The value of a label in Prometheus' text formats, within its quotes. */
export function labelValue(text: string): string {
  return escaped(text, /[\\"]/g);
}

/** The text after `# HELP`; OpenMetrics escapes quotes too. */
export function helpText(text: string, form: 'text' | 'openmetrics'): string {
  return escaped(text, form === 'openmetrics' ? /[\\"]/g : /\\/g);
}

const escaped = (text: string, signs: RegExp): string => visible(text).replace(signs, '\\$&').replace(/\r?\n/g, '\\n');
