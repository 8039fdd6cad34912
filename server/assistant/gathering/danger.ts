import { firstOf } from '#shared/assert.ts'
import type { DangerPanel } from '#shared/assistant/answer.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import { type Speech, speechOf } from '../composing/speech.ts'
import type { Gathered, GatheringDeps, QuestionContext } from './context.ts'
import { FIRST_HELP, hotlinesOf, type KnownHotline, presentHotlines } from './hotlines.ts'

/**
 * Answer to a user who may be in danger: the hotlines of the country, immediately and from memory. Without a country,
 * international ones and the question for the country.
 */
export function gatherDanger(
  { facts }: Pick<GatheringDeps, 'facts'>,
  { language, now }: Pick<QuestionContext, 'language' | 'now'>,
  dangers: readonly Danger[],
  country: string | null,
): { gathered: Gathered; panel: DangerPanel } {
  const speech = speechOf(language)
  const first = [...new Set(dangers.flatMap((danger) => FIRST_HELP[danger]))]
  const numbers = (of: string | null) => hotlinesOf(facts, { country: of, first, speech, now })
  const own = country ? numbers(country) : []
  const anywhere = numbers(null)
  const gathered = presentHotlines({ speech, country, now, own, anywhere })
  const panel = panelFor(speech, dangers, country, [...own, ...anywhere])
  return {
    panel,
    // The number comes as early as possible: a user in danger reads little.
    gathered: { ...gathered, opening: [`**${panel.title}**`], closing: [...(gathered.opening ?? []), panel.message] },
  }
}

function panelFor(
  speech: Speech,
  dangers: readonly Danger[],
  country: string | null,
  hotlines: readonly KnownHotline[],
): DangerPanel {
  const { plain } = speech
  const worst = firstOf(dangers)
  return {
    dangers: [...dangers],
    country,
    country_name: country && speech.country(country),
    title: plain(`danger_title_${worst}`),
    message: plain(`danger_message_${worst}`),
    hotlines: hotlines.map(({ fact: _, code: __, ...hotline }) => hotline),
    texts: {
      leave_quickly: plain('leave_quickly'),
      call_back: plain('call_back'),
      call_back_help: plain('call_back_help'),
      safe_phone: plain('safe_phone'),
      safe_time: plain('safe_time'),
      send: plain('send'),
      notify_coordinator: plain('notify_coordinator'),
      notify_coordinator_help: plain('notify_coordinator_help'),
      nothing_kept: plain('nothing_kept'),
      keep_here: plain('keep_here'),
      choose_country: plain('choose_country'),
    },
  }
}
