/** LIKE pattern for rows that contain a text literally. */
export const containing = (text: string) =>
  `%${text
    .replaceAll('\0', '')
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`
