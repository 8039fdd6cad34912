/** A text of words.json with its values put in. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
