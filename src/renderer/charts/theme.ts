/** Calls back after a theme switch, once its tokens apply. Returns the unsubscribe function. */
export function themeChanges(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  // The system's own colours change without a change of the theme.
  const forced = window.matchMedia('(forced-colors: active)');
  forced.addEventListener('change', onChange);
  // Text measured before the font is loaded would keep the wrong width.
  let isOver = false;
  void document.fonts.ready.then(() => {
    if (!isOver) onChange();
  });
  return () => {
    isOver = true;
    observer.disconnect();
    forced.removeEventListener('change', onChange);
  };
}
