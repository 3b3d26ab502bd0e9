/** Packages whose authors state MIT in package.json and README, but publish no text; the names are from there. */
const copyright = {
  'shell-escape': 'Copyright (c) Martin PANEL, Dave Eddy',
  '@nodable/entities': 'Copyright (c) Amit Gupta',
  tr46: 'Copyright (c) Sebastian Mayr',
  'lazy-val': 'Copyright (c) Vladimir Krivosheev',
};

/** The binaries of a package, published without its licence file; built from the same sources. */
const partOf = (name) => (name.startsWith('@libsql/') ? 'libsql' : undefined);

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/**
 * Replacement for a missing licence file: a `text`, or the package `of` which it is a part.
 * @returns {{ text?: string, of?: string } | undefined}
 */
export function withoutFile(name, licence) {
  const of = partOf(name);
  if (of) return { of };
  // Only while the package still states the known licence.
  return licence === 'MIT' && copyright[name] ? { text: `MIT License\n\n${copyright[name]}\n\n${mit}` } : undefined;
}
