import { themes, type Settings, type Theme } from '../../contract/shell';

/** The desktop's settings, as the page sees them. */
export interface SystemColours {
  readonly isDark: boolean;
  /** `prefers-contrast: more` */
  readonly wantsContrast: boolean;
  /** The system replaces the colours of pages: `forced-colors: active`. */
  readonly forcesColours: boolean;
}

/** The theme to show. */
export function effectiveTheme(
  choice: Settings['theme'],
  { isDark, wantsContrast, forcesColours }: SystemColours,
): Theme {
  // Colours are replaced whatever was chosen: only the markers of this theme tell lines apart then.
  if (forcesColours) return 'high-contrast';
  if (choice !== 'system') return choice;
  if (wantsContrast) return 'high-contrast';
  return isDark ? 'dark' : 'light';
}

export const themeNames: Readonly<Record<Theme, string>> = {
  dark: 'Dark',
  light: 'Light',
  'high-contrast': 'High contrast',
};

/** The theme after this one, for the key and the button. */
export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'dark';
