import type { Citation } from '#shared/assistant/answer.ts'
import type { Draft, Section, Source, Statement } from '../drafts.ts'
import { safeUrl } from './markdown.ts'

export interface Composition {
  content: string
  citations: Citation[]
  /** Every cited record, in the order of the text. */
  records: string[]
}

/**
 * Composes a draft as Markdown. Each statement is followed by its citation number, or the lead is if it rests on the
 * same record. A statement without a record, or with an unknown one, is a bug and throws.
 */
export function compose(draft: Draft): Composition {
  const citations = citationsOf(draft)
  const marks = marksOf(citations)
  const withMarks = ({ text, records }: Statement, lead: Statement | null = null) =>
    [text, ...records.filter((record) => !lead?.records.includes(record)).map((record) => marks.get(record))].join(' ')
  const paragraphs = [
    ...draft.opening,
    ...draft.sections.flatMap(({ lead, statements }) => {
      // Without a lead, a list would have no visible start.
      if (!lead) return statements.map((statement) => withMarks(statement))
      return [withMarks(lead), statements.map((statement) => `- ${withMarks(statement, lead)}`).join('\n')].filter(
        Boolean,
      )
    }),
    ...draft.closing,
  ]
  return { content: paragraphs.join('\n\n'), citations, records: citations.map(({ record }) => record) }
}

/** Citation marks by record. */
export const marksOf = (citations: readonly Citation[]) => new Map(citations.map(({ record, n }) => [record, `[${n}]`]))

/** Records of a draft, numbered in order of first mention. */
export function citationsOf({ sections, sources }: Pick<Draft, 'sections' | 'sources'>): Citation[] {
  const known = new Map(sources.map((source) => [source.record, source]))
  return [...new Set(sections.flatMap(recordsOf))].map((record, index) => {
    const source = known.get(record)
    if (!source) throw new Error(`A statement names ${record}, of which there is no source`)
    return cited(source, index + 1)
  })
}

function recordsOf({ lead, statements }: Section): readonly string[] {
  const bare = statements.find(({ records }) => records.length === 0)
  if (bare) throw new Error(`A statement has no record: ${bare.text}`)
  return [...(lead?.records ?? []), ...statements.flatMap(({ records }) => records)]
}

const cited = (source: Source, n: number): Citation => ({ n, ...source, url: safeUrl(source.url) })
