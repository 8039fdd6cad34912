/** Text that says more than the wording quoted beside it; sources often begin with it, or say nothing else. */
export function beyondWording(text: string, wording: string): string {
  if (!wording || !text.toLowerCase().startsWith(wording.toLowerCase())) return text
  const rest = text.slice(wording.length)
  // "Avoid all travel to the north" goes on with the sentence and stays whole.
  return /^[\s.:;,]*$/.test(rest) ? '' : /^\s*[.:;]/.test(rest) ? rest.replace(/^[\s.:;]+/, '') : text
}
