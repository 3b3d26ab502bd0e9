/** Calls back when the theme was switched, after its tokens hold. Returns the function that ends it. */
export function themeChanges(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  // Text measured before the typeface is there would keep the wrong width.
  let isOver = false;
  void document.fonts.ready.then(() => {
    if (!isOver) onChange();
  });
  return () => {
    isOver = true;
    observer.disconnect();
  };
}
