/** Fills every `{{name}}` in one pass, so a value is never taken for a placeholder. */
export function fill(text: string, tokens: Record<string, string>, write = (value: string) => value): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = tokens[name]
    if (value === undefined) throw new Error(`The text of a message needs "${name}"`)
    return write(value)
  })
}
