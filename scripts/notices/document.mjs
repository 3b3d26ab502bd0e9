const rule = '='.repeat(80);

const besideTheApp = [
  'Electron and Chromium have their own in the files LICENSE.electron.txt and LICENSES.chromium.html beside the program.',
];

/**
 * The notices as one text: the content of the package, and each licence once with its components.
 * @param {string} product
 * @param {{ title: string, components: object[] }[]} sections
 * @param {string[]} elsewhere lines on licences that are not in this text
 */
export function noticesText(product, sections, elsewhere = besideTheApp) {
  const head = [
    `Third-party notices of ${product}`,
    '',
    `${product} contains the software below, under the licences below.`,
    ...elsewhere,
  ];
  const lists = sections.flatMap(({ title, components }) => [
    '',
    title,
    ...components.map((component) => `  ${label(component)}${component.licence ? ` (${component.licence})` : ''}`),
  ]);
  const components = sections.flatMap((section) => section.components);
  return `${[...head, ...lists, ...licences(components)].join('\n')}\n`;
}

const label = ({ name, version }) => [name, version].filter(Boolean).join(' ');

function licences(components) {
  const byText = new Map();
  for (const component of components) {
    const text = component.texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), label(component)]);
  }
  return [...byText].flatMap(([text, labels]) => ['', rule, ...labels, rule, '', text]);
}
