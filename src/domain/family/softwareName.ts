/** Name and version of a server; the last word of a title such as `Server 2` is the beginning of its versions. */
export function softwareName(title: string, version: string | undefined): string {
  const number = (version ?? '').trim().replace(/^v(?=\d)/, '');
  if (number === '') return title;
  const [, name = title, generation] = /^(.*) (\d+)$/.exec(title) ?? [];
  return `${generation !== undefined && number.startsWith(`${generation}.`) ? name : title} ${number}`;
}
