import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** An entry, or the forms of the verb of which it gives the root: `~sampal`, `~ضرب`. */
export function verbForms(entry: string, language: AssistantLanguage): string[] {
  if (!entry.startsWith('~')) return [entry]
  const root = entry.slice(1)
  return language === 'ar' ? arabicForms(root) : tagalogForms(root)
}

/** What he, she, they do and did, to whomever: the person it is done to is written on behind. */
const arabicForms = (root: string) =>
  ['', 'ي', 'ت', 'ن', 'بي', 'بت', 'هي', 'حي', 'سي', 'با', 'ب', 'ا', 'م', 'مت', 'ان', 'ات'].map(
    (prefix) => `${prefix}${root}*`,
  )

const VOWEL = /[aeiou]/

/** What is done, was done and will be done to somebody, and who does it: sinampal, sinasampal, sasampalin, nanampal. */
function tagalogForms(root: string): string[] {
  const onset = root.slice(0, root.search(VOWEL))
  const rest = root.slice(onset.length)
  const again = `${onset}${rest[0]}`
  // "Bugbog" and "bugbugin": an o at the end of a root is a u before an ending.
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
