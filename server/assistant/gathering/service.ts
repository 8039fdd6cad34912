import type { HotlineCode } from '#shared/assistant/facts.ts'
import type { EmergencyService } from '#shared/assistant/intents.ts'
import { speechOf } from '../composing/speech.ts'
import { actionsIn } from './actions.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { hotlineStatements, hotlinesOf } from './hotlines.ts'
import { countrySource, factSource } from './sources.ts'

/** Fallbacks besides the service itself: a common emergency number, or the mission's labour office. */
const BESIDE: Record<EmergencyService, readonly HotlineCode[]> = {
  police: ['emergency'],
  ambulance: ['emergency'],
  fire: ['emergency'],
  embassy: ['labour_attache', 'home_government'],
}

/**
 * The number of one emergency service in a country. Without a confirmed one, says so and links to the official page;
 * without a country, asks for it. Never lists a church.
 */
export function gatherService(
  deps: GatheringDeps,
  { language, now }: QuestionContext,
  service: EmergencyService,
  country: string | null,
): Gathered {
  const speech = speechOf(language)
  const actions = actionsIn(speech)
  const wanted = [service, ...BESIDE[service]]
  const numbers = (of: string | null) =>
    hotlinesOf(deps.facts, { country: of, first: wanted, speech, now }).filter(({ code }) => wanted.includes(code))
  const own = country ? numbers(country) : []
  const found = [...own, ...numbers(null)]
  const isKnown = own.some(({ code, is_expired }) => (code === service || code === 'emergency') && !is_expired)
  const names = { label: speech.plain(`hotline_${service}`), country: country ? speech.country(country) : '' }
  const home =
    service === 'embassy' ? deps.advisories.sources(now).find(({ country_code }) => country_code === 'PH') : null
  const missing = home
    ? speech
        .say('service_none_page', { ...names, page: '{page}' })
        .replace('{page}', `[${new URL(home.homepage).host}](${home.homepage})`)
    : speech.say('service_none', names)
  return {
    opening: country ? [] : [speech.plain('emergency_ask_country')],
    sections: [
      ...(country && !isKnown ? [{ lead: { text: missing, records: [`country:${country}`] }, statements: [] }] : []),
      ...(found.length > 0 ? [{ lead: null, statements: hotlineStatements(found, speech, now) }] : []),
    ],
    sources: [
      ...(country && !isKnown ? [countrySource(country, speech)] : []),
      ...found.map(({ fact }) => factSource(fact, now)),
    ],
    quickActions: [
      ...found.slice(0, 2).map(({ phone }) => actions.call(phone)),
      actions.emergencyPage(country),
      actions.person,
    ],
    found: country === null ? 'asks' : isKnown ? 'all' : 'some',
  }
}
