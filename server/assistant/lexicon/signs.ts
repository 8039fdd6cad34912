import { readFileSync } from 'node:fs'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/**
 * Topics that users in danger mention. Most mean nothing on their own: a passport is harmless and so is a drawer; the
 * user's passport in the employer's drawer is not.
 */
export const SIGNS = [
  'person',
  'document',
  'keep',
  'take',
  'refuse',
  'recover',
  'rightful',
  'unpaid',
  'wage',
  'locked',
  'confined',
  'phone',
  'toil',
  'debt',
  'bound',
  'men',
  'made',
  'sold',
  'fled',
  'left',
  'destitute',
  'violence',
  'harm',
  'touch',
  'body',
  'intrude',
  'nude',
  'child',
  'weapon',
  'hiding',
  'siege',
  'threat',
  'told',
  'reprisal',
  'despair',
  'height',
  'means',
  'farewell',
  'video',
  'spread',
  'cruel',
  'cheat',
  'compelled',
  'pregnant',
  'marry',
  'alone',
  'kin',
  'dark',
  'settled',
  'tonight',
  'light',
] as const
export type Sign = (typeof SIGNS)[number]

/** Words of each sign, in the notation of a lexicon; `~` before a Tagalog or Arabic root stands for its verb forms. */
export type Signs = Record<Sign, string[]>

/** The signs of one language. */
export function readSigns(language: AssistantLanguage): Signs {
  const file = new URL(`./signs/${language}.json`, import.meta.url)
  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<Sign, string>
  return Object.fromEntries(SIGNS.map((sign) => [sign, written[sign].split(', ')])) as Signs
}
