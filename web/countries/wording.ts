/** The text beyond the quoted wording; sources often start with the wording, or contain nothing else. */
export function beyondWording(text: string, wording: string): string {
  if (!wording || !text.toLowerCase().startsWith(wording.toLowerCase())) return text
  const rest = text.slice(wording.length)
  // "Avoid all travel to the north" continues the sentence and is shown whole.
  return /^[\s.:;,]*$/.test(rest) ? '' : /^\s*[.:;]/.test(rest) ? rest.replace(/^[\s.:;]+/, '') : text
}
