import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../setup/problem.mjs';
import { requiredTexts, textsIn } from './licenceTexts.mjs';
import { partWithin } from './within.mjs';
import { withoutFile } from './withoutFile.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The bundles of the app, and of the command line in its package. */
const appBundles = ['main', 'preload', 'renderer', 'viewer-page', 'cli'];

/**
 * Npm packages shipped in the app: those installed for production, and those that Vite bundled. `isWithin`: part of one
 * that is no package itself.
 */
export function npmComponents(root) {
  const installed = installedPackages(root);
  const production = installed.filter(({ entry }) => !entry.dev && !entry.devOptional);
  const bundled = bundledPackages(root, appBundles, installed);
  return componentsOf([...new Set([...production, ...bundled])], installed);
}

/** Npm packages that Vite bundled into these folders of `out`. */
export function bundledComponents(root, bundles) {
  const installed = installedPackages(root);
  return componentsOf([...new Set(bundledPackages(root, bundles, installed))], installed);
}

function installedPackages(root) {
  return Object.entries(readJson(join(root, 'package-lock.json')).packages)
    .filter(([path]) => path !== '' && existsSync(join(root, path)))
    .map(([path, entry]) => ({ folder: join(root, path), ...readManifest(join(root, path)), entry }));
}

const componentsOf = (packages, installed) =>
  packages.flatMap((found) => {
    const { name, version, licence } = found;
    const part = partWithin(name);
    const own = { name, version, licence, texts: textsOf(found, installed) };
    if (!part) return [own];
    const texts = installed.find((entry) => entry.name === part.textOf);
    if (!texts)
      throw new SetupProblem(`The licence text of ${part.name} is that of ${part.textOf}, which is not installed.`);
    const inside = `${part.name} (in ${name})`;
    const inPart = { name: inside, version, licence: part.licence, isWithin: true };
    return [own, { ...inPart, texts: requiredTexts(texts.folder, texts.name) }];
  });

/** From the lists that Vite writes beside each bundle (`build.license`). */
function bundledPackages(root, bundles, installed) {
  return bundles
    .flatMap((bundle) => readJson(join(root, 'out', bundle, 'licenses.json')))
    .map((wanted) => find(installed, wanted));
}

function find(installed, { name, version }) {
  const found = installed.find((entry) => entry.name === name && entry.version === version);
  if (found) return found;
  throw new SetupProblem(
    `The bundles contain ${name} ${version}, which is not installed. ` +
      'Remove build/.cache and try again to rebuild them.',
  );
}

function readManifest(folder) {
  const { name, version, license, licenses } = readJson(join(folder, 'package.json'));
  // Some old packages use a list of objects.
  const licence = [license ?? licenses].flat().map((one) => one?.type ?? one);
  return { name, version, licence: licence.filter(Boolean).join(' OR ') };
}

function textsOf({ folder, name, licence }, installed) {
  const texts = textsIn(folder);
  if (texts.length > 0) return texts;
  const instead = withoutFile(name, licence);
  if (instead?.text) return [instead.text];
  const whole = instead?.of && installed.find((entry) => entry.name === instead.of);
  return whole ? requiredTexts(whole.folder, whole.name) : requiredTexts(folder, name);
}
