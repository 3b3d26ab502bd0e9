/** Outlines on a 16 px grid, drawn with a 1.25 px stroke; names state the meaning, not the shape. */
export const icons = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.6 3.6',
  chevronDown: 'M4.5 6.5L8 10l3.5-3.5',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  warning: 'M8 2.5L14.2 13.3H1.8zM8 6.6v3.2M8 11.4v.4',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 7.4v3.8M8 4.8v.4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M12.5 3.5l-1.1 1.1M4.6 11.4l-1.1 1.1',
  file: 'M4 1.8h5.2L12.5 5v9.2H4zM9 1.8V5.2h3.5',
  publish: 'M8 13V3.5M4.5 7L8 3.5 11.5 7',
  play: 'M5 3.2l8 4.8-8 4.8z',
  pencil: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  plus: 'M8 3v10M3 8h10',
  grid: 'M2.5 3h4.7v4.2H2.5zM8.8 3h4.7v4.2H8.8zM2.5 8.8h4.7V13H2.5zM8.8 8.8h4.7V13H8.8z',
  dash: 'M4.5 8h7',
  arrow: 'M3 8h9.5M9 4.5L12.5 8 9 11.5',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  lockOpen: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 4.8-1',
  gear: 'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v1.8M8 12.4v1.8M1.8 8h1.8M12.4 8h1.8M3.6 3.6l1.3 1.3M11.1 11.1l1.3 1.3M12.4 3.6l-1.3 1.3M4.9 11.1l-1.3 1.3M8 12.4a4.4 4.4 0 1 0 0-8.8 4.4 4.4 0 0 0 0 8.8z',
  flag: 'M4 14.2V2.4h8.2L10 5.6l2.2 3.2H4',
  folder: 'M2 4h4.2l1.4 1.6H14v7.2H2z',
} as const;

export type IconName = keyof typeof icons;
