/** Files that the bundler puts into the program as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** As a data URI. */
declare module '*?inline' {
  const uri: string;
  export default uri;
}

/** A WebAssembly module of a package, as a data URI. */
declare module '*.wasm?url&inline' {
  const uri: string;
  export default uri;
}

/** Bundled with its imports; see `generatedModules` in `vite.shared.mjs`. */
declare module '*?script' {
  const script: string;
  export default script;
}

/** Applied to the page; has no value. */
declare module '*.css';

/** True in a build without the updater (`FULLHOUSE_OFFLINE=1`); set by `electron.vite.config.ts`. */
declare const __OFFLINE_BUILD__: boolean;
