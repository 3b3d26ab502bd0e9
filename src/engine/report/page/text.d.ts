/** Files that the bundler puts into the program as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Files that the bundler puts into the program as a data URI. */
declare module '*?inline' {
  const uri: string;
  export default uri;
}
