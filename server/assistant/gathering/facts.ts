import type { Fact } from '#shared/assistant/facts.ts'
import type { Speech } from '../composing/speech.ts'
import type { Statement } from '../drafts.ts'
import { isExpired } from '../facts/model.ts'
import { RequirementValue, RuleValue } from '../facts/values.ts'
import type { PhraseKey } from '../phrases/phrases.ts'
import { phrasesOf } from '../phrases/phrases.ts'

/** A rule or requirement as text, with its confirmation date if it has expired. */
export function factStatement(fact: Fact, speech: Speech, now: Date): Statement | null {
  const text = fact.kind === 'rule' ? ruleText(fact, speech) : requirementText(fact, speech)
  return text === null ? null : { text: dated(text, fact, speech, now), records: [`fact:${fact.id}`] }
}

/** Text of a fact, with a warning if it has expired. */
export function dated(text: string, fact: Fact, speech: Speech, now: Date): string {
  if (!isExpired(fact, now)) return text
  return `${text} (${speech.say('expired', { date: speech.date(fact.checked_on) })})`
}

function ruleText({ code, value }: Fact, speech: Speech): string | null {
  const { days, hours, years } = RuleValue.safeParse(value).data ?? {}
  if (code === 'pdos.duration') return days && hours ? speech.say('rule_pdos.duration', { count: days, hours }) : null
  if (code === 'pdos.validity') return years ? speech.say('rule_pdos.validity', { count: years }) : null
  return isPhrase(`rule_${code}`) ? speech.say(`rule_${code}` as PhraseKey) : null
}

function requirementText({ code, value }: Fact, speech: Speech): string | null {
  const { months } = RequirementValue.safeParse(value).data ?? {}
  if (code === 'passport' && months) return speech.say('requirement_passport_months', { months })
  return isPhrase(`requirement_${code}`) ? speech.say(`requirement_${code}` as PhraseKey) : null
}

/** A code without a phrase cannot be worded. */
const isPhrase = (key: string) => Object.hasOwn(phrasesOf('en'), key)
