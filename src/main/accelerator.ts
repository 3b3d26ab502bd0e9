/** Keys that Electron names differently. */
const names: Readonly<Record<string, string>> = { '+': 'Plus', '?': 'Shift+/', '{': 'Shift+[', '}': 'Shift+]' };

/** A key as named by the page (`p`, `Ctrl+k`), as an accelerator of a menu entry. */
export function acceleratorOf(key: string): string {
  const [modifier, plain] = key.startsWith('Ctrl+') ? ['CmdOrCtrl+', key.slice(5)] : ['', key];
  return modifier + (names[plain] ?? (/^[a-z]$/.test(plain) ? plain.toUpperCase() : plain));
}
