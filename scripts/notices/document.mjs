const rule = '='.repeat(80);

/**
 * The notices as one text: the content of the package, and each licence once with its components. `remark`: where those
 * of other parts are.
 */
export function noticesText(product, sections, remark) {
  const head = [
    `Third-party notices of ${product}`,
    '',
    `${product} contains the software below, under the licences below.${remark ? ` ${remark}` : ''}`,
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
