import type { Draft, Section, Statement } from '../drafts.ts'
import { speechOf } from './speech.ts'

/** Portal phrases that may precede a statement. None of them asserts anything. */
export const CONNECTORS = { C1: 'connect_begin', C2: 'connect_also', C3: 'connect_more' } as const
export type ConnectorId = keyof typeof CONNECTORS

/** A statement that may be reordered, with its id for the model. The model reads its text and never writes it. */
export interface Choosable {
  id: string
  text: string
}

/** A chosen statement with its optional connector. */
export interface Pick {
  id: string
  connector: ConnectorId | null
}

/** Statements that may be reordered, each with an id that is valid for this draft. */
export const choosableOf = (draft: Draft): Choosable[] => [...idsOf(draft)].map(([{ text }, id]) => ({ id, text }))

function idsOf({ sections }: Draft): Map<Statement, string> {
  const free = sections.filter(({ isFree }) => isFree).flatMap(({ statements }) => statements)
  return new Map(free.map((statement, at) => [statement, `S${at + 1}`]))
}

/**
 * Moves the chosen statements to the front. Adds only connectors and drops nothing. Only free sections are reordered,
 * among themselves: advisories, numbers, travel documents and caveats keep their place.
 */
export function arrange(draft: Draft, picks: readonly Pick[]): Draft {
  const ids = idsOf(draft)
  const ranks = new Map(picks.map(({ id }, rank) => [id, rank]))
  const rankOf = (statement: Statement) => ranks.get(ids.get(statement) ?? '') ?? picks.length
  const free = draft.sections
    .filter(({ isFree }) => isFree)
    .map((section) => {
      const statements = section.statements.toSorted((a, b) => rankOf(a) - rankOf(b))
      const [first] = statements
      return { section: { ...section, statements }, rank: first ? rankOf(first) : picks.length }
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ section, rank }) => [...connectorFor(picks[rank], draft), section])
    .values()
  return {
    ...draft,
    sections: draft.sections.flatMap((section) => (section.isFree ? (free.next().value ?? []) : [section])),
  }
}

function connectorFor(pick: Pick | undefined, { language }: Draft): Section[] {
  if (!pick?.connector) return []
  return [{ lead: { text: speechOf(language).plain(CONNECTORS[pick.connector]), records: [] }, statements: [] }]
}

/** Everything before the first statement that may be reordered; shown at once. */
export function headOf(draft: Draft): Draft {
  const first = draft.sections.findIndex(({ isFree }) => isFree)
  return first === -1 ? draft : { ...draft, sections: draft.sections.slice(0, first), closing: [] }
}
