/**
 * What is compiled into a package without its own package, so that its licence file names only the package's author:
 * whose text is that of another installed package.
 */
const within = {
  // ZXing-C++ as WebAssembly; its licence is that of its repository.
  'zxing-wasm': { name: 'ZXing-C++', licence: 'Apache-2.0', textOf: '@kubernetes/client-node' },
};

/** @returns {{ name: string, licence: string, textOf: string } | undefined} */
export const partWithin = (name) => within[name];
