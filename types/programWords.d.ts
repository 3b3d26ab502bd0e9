/** In lower case, without the signs around them; see `scripts/words/programWords.mjs`. */
declare module '*?program-words' {
  const found: { readonly words: readonly string[]; readonly phrases: readonly string[] };
  export default found;
}
