/** The text of an answer without Markdown marks, for speech, screen readers and notifications. */
export function plainOf(markdown: string): string {
  return markdown
    .replace(/```\w*\n?|`/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s?\[\d{1,3}\]/g, '')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/^\s*([-*_])(\s*\1){2,}\s*$/gm, '')
    .replace(/(\*\*|__)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(.+?)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

/** The answer below its danger panel, without the paragraphs that the panel already shows. */
export function besidePanel(content: string, panel: { title: string; message: string } | null | undefined): string {
  if (!panel) return content
  const panelTexts = new Set([panel.title, panel.message].map(plainOf))
  return content
    .split(/\n{2,}/)
    .filter((paragraph) => !panelTexts.has(plainOf(paragraph)))
    .join('\n\n')
}

/** The answer below its help line, without the first paragraph, which is that line. */
export const besideHelpLine = (content: string): string =>
  content
    .split(/\n{2,}/)
    .slice(1)
    .join('\n\n')
