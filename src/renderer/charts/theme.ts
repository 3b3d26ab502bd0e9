/** Calls back after a theme switch, once its tokens apply. Returns the unsubscribe function. */
export function themeChanges(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  // Text measured before the font is loaded would keep the wrong width.
  let isOver = false;
  void document.fonts.ready.then(() => {
    if (!isOver) onChange();
  });
  return () => {
    isOver = true;
    observer.disconnect();
  };
}
