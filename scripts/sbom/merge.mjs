import { SetupProblem } from '../setup/problem.mjs';

/**
 * npm's CycloneDX document with only the packages that ship, and with the modules of the agent and the fonts.
 * @param {object} bom of `npm sbom`, which lists everything in package-lock.json
 * @param {{ version: string, npm: object[], go: object[], fonts: object[] }} shipped components of the third-party
 *   notices
 */
export function mergedBom(bom, { version, npm, go, fonts }) {
  const listed = new Map(bom.components.map((component) => [fullName(component), component]));
  const packages = npm.filter(({ isWithin }) => !isWithin);
  const fromNpm = [...new Set(packages.map(({ name, version: of }) => `${name}@${of}`))].map((id) => {
    const found = listed.get(id);
    if (!found) throw new SetupProblem(`npm sbom does not list ${id}, which ships. Install the packages again: npm ci`);
    return found;
  });
  const parts = npm.filter(({ isWithin }) => isWithin);
  const components = [...fromNpm, ...parts.map(ofPart), ...go.map(ofGo), ...fonts.map(ofFont)];
  // npm names it after its folder.
  const name = 'fullhouse';
  const ref = `${name}@${version}`;
  const root = { ...bom.metadata.component, 'bom-ref': ref, name, version, purl: `pkg:npm/${ref}` };
  const refs = components.map((component) => component['bom-ref']);
  const known = new Set(refs);
  return {
    ...bom,
    metadata: { ...bom.metadata, component: root },
    components,
    dependencies: [
      { ref, dependsOn: refs },
      ...bom.dependencies
        .filter((each) => known.has(each.ref))
        .map((each) => ({ ref: each.ref, dependsOn: each.dependsOn.filter((other) => known.has(other)) })),
    ],
  };
}

/** npm has the scope as a group, or as part of the name. */
const fullName = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;

function ofGo({ name, version }) {
  // Go's own name of its standard library.
  const path = version.startsWith('go') ? 'std' : name;
  const purl = `pkg:golang/${path}@${version.replace(/^go/, '')}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}

/** Its own version is not known: it is that of the package which contains it. */
function ofPart({ name, licence }) {
  return { 'bom-ref': `part:${name}`, type: 'library', name, licenses: [{ license: { id: licence } }] };
}

function ofFont({ name, licence }) {
  return { 'bom-ref': `font:${name}`, type: 'data', name, licenses: [{ license: { id: licence } }] };
}
