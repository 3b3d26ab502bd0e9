/** Architectures by the names of Node.js, as each kind of package calls them; those of electron-builder. */
const names = {
  deb: { x64: 'amd64' },
  rpm: { x64: 'x86_64', arm64: 'aarch64' },
};

/** The architecture in the control data of a package, e.g. `amd64` for `x64` in a deb. */
export const archOf = (kind, arch) => names[kind]?.[arch] ?? arch;

/**
 * The file name of a package by `artifactName` of electron.builder.yml, as electron-builder makes it.
 * @param {{ artifactName: string, productName: string }} config
 * @param {{ version: string, os: string, arch: string, ext: string }} values `arch` by the name of Node.js
 */
export function artifactName(config, { version, os, arch, ext }) {
  const known = { productName: config.productName, version, os, arch: archOf(ext, arch), ext };
  return config.artifactName.replace(/\$\{(\w+)\}/g, (whole, name) => {
    if (known[name] === undefined)
      throw new Error(`artifactName of electron.builder.yml has ${whole}, which is unknown.`);
    return known[name];
  });
}
