import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** The entry itself, or the forms of the verb whose root it gives: `~sampal`, `~ضرب`. */
export function verbForms(entry: string, language: AssistantLanguage): string[] {
  if (!entry.startsWith('~')) return [entry]
  const root = entry.slice(1)
  return language === 'ar' ? arabicForms(root) : tagalogForms(root)
}

/** Present and past forms for he, she and they with any object, which is a suffix. */
const arabicForms = (root: string) =>
  ['', 'ي', 'ت', 'ن', 'بي', 'بت', 'هي', 'حي', 'سي', 'با', 'ب', 'ا', 'م', 'مت', 'ان', 'ات'].map(
    (prefix) => `${prefix}${root}*`,
  )

const VOWEL = /[aeiou]/

/** Present, past and future forms for object and actor: sinampal, sinasampal, sasampalin, nanampal. */
function tagalogForms(root: string): string[] {
  const onset = root.slice(0, root.search(VOWEL))
  const rest = root.slice(onset.length)
  const again = `${onset}${rest[0]}`
  // "Bugbog" and "bugbugin": the last o of a root becomes u before a suffix.
  const stem = root.replace(/o(?=[^aeiou]*$)/, 'u')
  const [un, doing] =
    onset === '' ? [`in${root}`, `in${rest[0]}${root}`] : [`${onset}in${rest}`, `${onset}in${rest[0]}${root}`]
  const done = [
    un,
    doing,
    `${again}${stem}in`,
    `${again}${stem}an`,
    `${stem}in`,
    `${stem}an`,
    `na${root}`,
    `na${again}${root}`,
  ]
  const doer = [`mang${root}`, `nang${root}`, `nag${root}`, `nam${root.slice(1)}`, `nan${root.slice(1)}`]
  return [...done, ...doer, `i${root}`, `i${un}`, `i${doing}`, `naka${root}`, `pinag${root}`, `nanganga${root}`].map(
    (form) => `${form}*`,
  )
}
