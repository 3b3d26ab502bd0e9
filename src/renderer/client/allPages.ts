/** All rows of a call that answers in pages, and the total that its last page names. */
export async function allPages<Row>(
  page: (offset: number) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>,
): Promise<{ readonly total: number; readonly rows: readonly Row[] }> {
  const all: Row[] = [];
  for (;;) {
    const { total, rows } = await page(all.length);
    all.push(...rows);
    if (rows.length === 0 || all.length >= total) return { total, rows: all };
  }
}
