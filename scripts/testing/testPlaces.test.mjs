import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { testParts } from './parts.mjs';
import { patternsOf, projectOfTest, testPlaces } from './testPlaces.mjs';

const testFiles = ['src', 'scripts', 'tests'].flatMap((folder) =>
  readdirSync(inRoot(folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.test\.\w+$/.test(path) && !path.includes('node_modules')),
);
/** Of the patterns' few forms. */
const matcherOf = (pattern) =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.+/)?')
      .replaceAll(/(?<!\))\*/g, '[^/]*')}$`,
  );

const projects = [...new Set(Object.values(testPlaces))];

it('each test file is found by vitest in exactly one project', () => {
  expect(testFiles.length).toBeGreaterThan(500);
  const matchers = projects.map((project) => {
    const { include, exclude } = patternsOf(project);
    return { project, include: include.map(matcherOf), exclude: exclude.map(matcherOf) };
  });
  const lost = testFiles.flatMap((path) => {
    const isIn = (list) => list.some((matcher) => matcher.test(path));
    const found = matchers
      .filter(({ include, exclude }) => isIn(include) && !isIn(exclude))
      .map(({ project }) => project);
    return found.length === 1 && found[0] === projectOfTest(path) ? [] : [`${path}: ${found.join(', ') || 'none'}`];
  });
  expect(lost).toEqual([]);
});

it('each start of a path has tests', () => {
  const unused = Object.keys(testPlaces).filter((start) => !testFiles.some((path) => path.startsWith(start)));
  expect(unused).toEqual([]);
});

it('each project is a part of the test run, but for the pictures of README.md', () => {
  expect(projects.filter((project) => !Object.hasOwn(testParts, project))).toEqual(['pictures']);
});
