import type { FaqEntry } from '#shared/content/endpoints.ts'
import type { Language } from '#shared/language.ts'
import { speechOf } from '../composing/speech.ts'
import type { Source } from '../drafts.ts'
import { actionsIn } from './actions.ts'
import { type Gathered, type GatheringDeps, NOTHING, type QuestionContext } from './context.ts'
import { excerptOf } from './sources.ts'
import { termsIn } from './terms.ts'

const MAX_ENTRIES = 2
/** Minimum share of a question's terms that an entry must contain, weighted by rarity. */
const LEAST_SHARE = 0.55
/** Characters quoted of a long answer; the page has all of it. */
const QUOTED = 700
/** A term in an entry's question weighs more than one in its answer. */
const IN_ANSWER = 0.5

/** Travel FAQ entries that match the question, in the language of the answer or else in English. */
export function gatherFaq({ faq }: GatheringDeps, ctx: QuestionContext): Gathered {
  const { written } = languagesFor(ctx)
  return quoted(bestOf(faq.list(written), ctx.understood.folded), ctx)
}

/** FAQ entries by slug, if published. */
export function gatherFaqEntries({ faq }: GatheringDeps, ctx: QuestionContext, slugs: readonly string[]): Gathered {
  const { written } = languagesFor(ctx)
  return quoted(
    faq.list(written).filter(({ slug }) => slugs.includes(slug)),
    ctx,
  )
}

/** The FAQ exists in two languages only. */
function languagesFor({ language }: QuestionContext): { written: Language; isForeign: boolean } {
  const written = language === 'ar' ? 'ar' : 'en'
  return { written, isForeign: written !== language }
}

function quoted(entries: readonly FaqEntry[], ctx: QuestionContext): Gathered {
  if (entries.length === 0) return NOTHING
  const speech = speechOf(ctx.language)
  const { written, isForeign } = languagesFor(ctx)
  const foreign = { text: speech.say('other_language', { language: speech.languageName(written) }), records: [] }
  const statements = entries.map(({ slug, question, answer }) => ({
    text: speech.say('page_says', { title: question, text: excerptOf(textOf(answer), QUOTED) }),
    records: [`faq:${slug}`],
  }))
  return {
    sections: [{ lead: isForeign ? foreign : null, statements, isFree: true }],
    sources: entries.map(sourceOf),
    quickActions: [actionsIn(speech).faq],
    found: 'all',
  }
}

/** The best matching entries, best first; none if no entry contains most of the question. */
function bestOf(entries: readonly FaqEntry[], query: string): FaqEntry[] {
  const terms = [...new Set(termsIn(query))].filter((term) => term.length > 2)
  const texts = entries.map((entry) => ({ entry, ...entryTerms(entry) }))
  const weight = new Map(
    terms.map((term) => {
      const matches = texts.filter(({ question, answer }) => question.has(term) || answer.has(term)).length
      // A term that occurs nowhere counts against every entry, like a rare one.
      return [term, Math.log((entries.length + 1) / (matches + 0.5))]
    }),
  )
  const weightOf = (term: string) => weight.get(term) ?? 0
  const whole = sum(terms.map(weightOf))
  if (whole === 0) return []
  return texts
    .map(({ entry, question, answer }) => {
      const share = (term: string) => (question.has(term) ? 1 : answer.has(term) ? IN_ANSWER : 0)
      return { entry, score: sum(terms.map((term) => share(term) * weightOf(term))) / whole }
    })
    .filter(({ score }) => score >= LEAST_SHARE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry)
}

/** Terms of an entry, computed on first use and cached by object identity; a changed entry is a new object. */
function entryTerms(entry: FaqEntry): { question: Set<string>; answer: Set<string> } {
  const terms = known.get(entry) ?? {
    question: new Set(termsIn(entry.question)),
    answer: new Set(termsIn(textOf(entry.answer))),
  }
  known.set(entry, terms)
  return terms
}

const known = new WeakMap<FaqEntry, ReturnType<typeof entryTerms>>()
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Plain text of an answer stored as sanitised HTML. */
const textOf = (html: string) =>
  html
    .replace(/<\/(p|li|ul|ol|h\d)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const sourceOf = ({ slug, question, answer, updated_at }: FaqEntry): Source => ({
  record: `faq:${slug}`,
  kind: 'faq',
  title: question,
  url: `/travel-faq#${slug}`,
  source: null,
  // Entries are written in the portal: they have a change date and no confirmation date.
  checked_on: null,
  changed_on: updated_at.slice(0, 10),
  is_expired: false,
  excerpt: excerptOf(textOf(answer)),
})
