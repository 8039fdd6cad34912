/** The pattern of rows that contain a text as it was typed: its signs stand for themselves. */
export const containing = (text: string) =>
  `%${text
    .replaceAll('\0', '')
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`
