import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_ENTITIES } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import type { Draft, Section, Source } from '../drafts.ts'
import { phrase } from '../phrases/phrases.ts'
import { arrange, CONNECTORS, type ConnectorId, choosableOf, headOf, type Pick } from './arrangement.ts'
import { compose } from './composition.ts'

const statement = (text: string) => ({ text, records: [`fact:${text}`] })
const ADVISORIES: Section = {
  lead: statement('Two advisories are in force for Japan:'),
  statements: [statement('Emergency: leave now'), statement('Caution: pickpockets')],
}
const CAVEAT: Section = { lead: statement('One source could not be read.'), statements: [] }
const RULES: Section = {
  lead: { text: 'About PDOS:', records: [] },
  statements: [statement('It takes 1 day.'), statement('It is valid for 1 year.')],
  isFree: true,
}
const PAGES: Section = {
  lead: null,
  statements: [statement('A page says: “No visa is needed (last confirmed in 2024).”'), statement('Another page.')],
  isFree: true,
}
const sections = [ADVISORIES, RULES, CAVEAT, PAGES]
const sourceOf = (record: string): Source => ({
  record,
  kind: 'fact',
  title: record,
  url: '/travel-faq',
  source: null,
  checked_on: null,
  changed_on: null,
  is_expired: false,
  excerpt: null,
})
const draft: Draft = {
  language: 'en',
  status: 'answered',
  analysis: { intent: 'general_inquiry', confidence: 1, entities: NO_ENTITIES, dangers: [], possible_danger: null },
  opening: ['Hello!'],
  sections,
  closing: ['Would you like to talk to a person about this?'],
  sources: sections
    .flatMap(({ lead, statements }) => [...(lead?.records ?? []), ...statements.flatMap(({ records }) => records)])
    .map(sourceOf),
  quickActions: [],
  mapLocales: [],
  danger: null,
  helpLine: null,
  warning: null,
}
const pick = (id: string, connector: ConnectorId | null = null): Pick => ({ id, connector })
const textsIn = ({ sections }: Draft) =>
  sections.flatMap(({ lead, statements }) => [lead?.text, ...statements.map(({ text }) => text)].filter(Boolean))

test('only statements of free sections can be chosen: no warnings, counts or rankings', () => {
  expect(choosableOf(draft).map(({ id, text }) => `${id} ${text}`)).toEqual([
    'S1 It takes 1 day.',
    'S2 It is valid for 1 year.',
    'S3 A page says: “No visa is needed (last confirmed in 2024).”',
    'S4 Another page.',
  ])
})

test('chosen statements come first; advisories and caveats keep their place and order', () => {
  expect(textsIn(arrange(draft, [pick('S4', 'C1'), pick('S2', 'C2')]))).toEqual([
    'Two advisories are in force for Japan:',
    'Emergency: leave now',
    'Caution: pickpockets',
    'About your question:',
    'Another page.',
    'A page says: “No visa is needed (last confirmed in 2024).”',
    'One source could not be read.',
    'Also:',
    'About PDOS:',
    'It is valid for 1 year.',
    'It takes 1 day.',
  ])
})

test('any choice keeps every statement exactly once, verbatim and with its record, and adds nothing else', () => {
  const anyPick = fc.record({
    id: fc.oneof(fc.constantFrom('S1', 'S2', 'S3', 'S4'), fc.string()),
    connector: fc.option(fc.constantFrom(...(Object.keys(CONNECTORS) as ConnectorId[]))),
  })
  const connectors = Object.values(CONNECTORS).map((key) => phrase('en', key))
  fc.assert(
    fc.property(fc.array(anyPick, { maxLength: 8 }), (picks) => {
      const arranged = arrange(draft, picks)
      const texts = textsIn(arranged).filter((text) => !connectors.includes(text!))
      expect(texts.toSorted()).toEqual(textsIn(draft).toSorted())
      expect(new Set(compose(arranged).records)).toEqual(new Set(compose(draft).records))
      expect(arranged.sections.filter((section) => section === ADVISORIES || section === CAVEAT)).toEqual([
        ADVISORIES,
        CAVEAT,
      ])
      expect(arranged.sections[0]).toBe(ADVISORIES)
      expect(arranged).toMatchObject({ opening: draft.opening, closing: draft.closing, sources: draft.sources })
    }),
  )
})

test('what is shown before the model has chosen is a prefix of every order', () => {
  const head = compose(headOf(draft)).content
  expect(head).toContain('Emergency: leave now')
  for (const picks of [[], [pick('S4', 'C3')], [pick('S2'), pick('S1')]])
    expect(compose(arrange(draft, picks)).content.startsWith(head)).toBe(true)
  expect(compose(arrange(draft, [])).content).toBe(compose(draft).content)
})

test.each(ASSISTANT_LANGUAGE_CODES)(
  'a connector of %s is a short introductory phrase, without a claim or a number',
  (code) => {
    for (const key of Object.values(CONNECTORS)) {
      expect(phrase(code, key)).toMatch(/^[^.!?。؟।\d]{1,40}[:：]$/u)
      expect(phrase(code, key)).not.toMatch(/safe|sicher|segur|sicur|ligtas|آمن|सुरक्षित|安全|안전/iu)
    }
  },
)
