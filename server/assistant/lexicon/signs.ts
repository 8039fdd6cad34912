import { readFileSync } from 'node:fs'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/**
 * What whoever is in danger may speak of. Most of it means nothing by itself: a passport is spoken of by everybody, and
 * so is a drawer; somebody's passport in somebody else's drawer is not.
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

/** The words of each sign, written as in a lexicon; `~` before a root of Tagalog or Arabic stands for its verb forms. */
export type Signs = Record<Sign, string[]>

/** The signs of one language. */
export function readSigns(language: AssistantLanguage): Signs {
  const file = new URL(`./signs/${language}.json`, import.meta.url)
  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<Sign, string>
  return Object.fromEntries(SIGNS.map((sign) => [sign, written[sign].split(', ')])) as Signs
}
