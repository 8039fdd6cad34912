import type { Hotline } from '#shared/assistant/answer.ts'
import { type Fact, HOTLINE_CODES, type HotlineCode } from '#shared/assistant/facts.ts'
import type { Danger, Entities } from '#shared/assistant/intents.ts'
import { safeUrl } from '../composing/markdown.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Statement } from '../drafts.ts'
import { isExpired } from '../facts/model.ts'
import { HotlineValue } from '../facts/values.ts'
import { actionsIn } from './actions.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { dated } from './facts.ts'
import { factSource } from './sources.ts'

/** Help for workers abroad. */
const ABROAD = ['embassy', 'labour_attache', 'migrant_helpline'] as const

/** Most helpful hotlines by situation. The others follow in their own order. */
export const FIRST_HELP: Record<Danger | NonNullable<Entities['emergencyType']>, readonly HotlineCode[]> = {
  self_harm: ['suicide_prevention', 'emergency', 'ambulance'],
  conflict: ['emergency', 'police', 'ambulance', ...ABROAD, 'home_government'],
  disaster: ['emergency', 'fire', 'ambulance', 'police', ...ABROAD],
  missing: ['police', 'emergency', ...ABROAD, 'home_government'],
  arrest: [...ABROAD, 'home_government', 'labour_authority'],
  unspecified: ['emergency', 'police', 'ambulance', ...ABROAD],
  violence: ['domestic_violence', 'emergency', 'police', ...ABROAD, 'home_government', 'trafficking'],
  trafficking: ['trafficking', 'emergency', 'police', ...ABROAD, 'labour_authority', 'home_government'],
  withheld_passport: [...ABROAD, 'labour_authority', 'home_government', 'trafficking', 'emergency', 'police'],
  document: ['embassy', 'home_government'],
  medical: ['ambulance', 'emergency'],
  travel: ['embassy', 'home_government'],
  safety: ['emergency', 'police', 'embassy'],
}

/** A hotline with its underlying fact. */
export interface KnownHotline extends Hotline {
  fact: Fact
  code: HotlineCode
}

/** Hotlines of a country, or international ones for null; the most helpful first. */
export function hotlinesOf(
  facts: GatheringDeps['facts'],
  { country, first, speech, now }: { country: string | null; first: readonly HotlineCode[]; speech: Speech; now: Date },
): KnownHotline[] {
  const order = [...first, ...HOTLINE_CODES.filter((code) => !first.includes(code))]
  return (
    facts
      .list({ kind: 'hotline', country })
      .flatMap((fact) => {
        const value = HotlineValue.safeParse(fact.value).data
        const code = HOTLINE_CODES.find((known) => known === fact.code)
        return value && code ? [{ fact, code, value }] : []
      })
      .map((hotline) => ({ ...hotline, isLate: isExpired(hotline.fact, now) }))
      // An expired number never comes before a valid one.
      .sort((a, b) => Number(a.isLate) - Number(b.isLate) || order.indexOf(a.code) - order.indexOf(b.code))
      .map(({ fact, code, value, isLate }) => ({
        fact,
        code,
        record: `fact:${fact.id}`,
        label: speech.plain(`hotline_${code}`),
        name: value.name,
        phone: value.phone,
        hours: value.hours,
        url: safeUrl(value.url),
        checked_on: fact.checked_on,
        is_expired: isLate,
      }))
  )
}

/** Hotlines as statements of an answer. */
export const hotlineStatements = (hotlines: readonly KnownHotline[], speech: Speech, now: Date): Statement[] =>
  hotlines.map(({ fact, record, label, phone, name, hours }) => {
    const more = [name, hours].filter((text) => text !== null).map(speech.name)
    const text = [speech.say('hotline_item', { label, phone }), ...more].join(' · ')
    return { text: dated(text, fact, speech, now), records: [record] }
  })

/** Hotlines of the country and international ones; without a country, asks for it. */
export function gatherHotlines(deps: GatheringDeps, ctx: QuestionContext, country: string | null): Gathered {
  const speech = speechOf(ctx.language)
  const { emergencyType } = ctx.understood.analysis.entities
  const first = emergencyType ? FIRST_HELP[emergencyType] : []
  const numbers = (country: string | null) => hotlinesOf(deps.facts, { country, first, speech, now: ctx.now })
  return presentHotlines({
    speech,
    country,
    now: ctx.now,
    own: country ? numbers(country) : [],
    anywhere: numbers(null),
  })
}

/** The same for hotlines already looked up. */
export function presentHotlines(input: {
  speech: Speech
  now: Date
  country: string | null
  own: readonly KnownHotline[]
  anywhere: readonly KnownHotline[]
}): Gathered {
  const { speech, country, own, anywhere, now } = input
  const actions = actionsIn(speech)
  const name = country ? speech.country(country) : ''
  const sections = [
    {
      lead: { text: speech.say('emergency_lead', { country: name }), records: [] },
      statements: hotlineStatements(own, speech, now),
    },
    {
      lead: { text: speech.say('emergency_anywhere'), records: [] },
      statements: hotlineStatements(anywhere, speech, now),
    },
  ].filter(({ statements }) => statements.length > 0)
  return {
    opening: country
      ? own.length > 0
        ? []
        : [speech.say('emergency_none', { country: name })]
      : [speech.plain('emergency_ask_country')],
    sections,
    sources: [...own, ...anywhere].map(({ fact }) => factSource(fact, now)),
    quickActions: [
      ...[...own, ...anywhere].slice(0, 2).map(({ phone }) => actions.call(phone)),
      actions.emergencyPage(country),
      actions.person,
    ],
    found: own.length > 0 ? 'all' : sections.length > 0 ? 'some' : 'nothing',
  }
}
