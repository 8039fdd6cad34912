import type { FirstSteps } from '#shared/advisories/advisory-text.ts'
import { isInstruction, localWording, withoutLevel } from '#shared/advisories/phrases.ts'
import type { Language } from '#shared/language.ts'

export interface Step {
  text: string
  /** BCP 47; standard phrases are translated, everything else is the source's. */
  language: string
}
export type StepGroups = Record<keyof FirstSteps, Step[]>

interface Levelled {
  original_wording: string
  language: string
}

/**
 * The source's steps, and its wording of the level where that is an instruction: "Do not travel" is for those who plan
 * to go, "exercise caution" for those who are there. In its own language a step that says the same replaces it.
 */
export function withLevel(
  steps: FirstSteps,
  { original_wording, language: own }: Levelled,
  reader: { language: Language; translate: Parameters<typeof localWording>[1]['translate'] },
): StepGroups {
  const inOwn = (texts: readonly string[]): Step[] => texts.map((text) => ({ text, language: own }))
  const groups = { here: inOwn(steps.here), planning: inOwn(steps.planning), all: inOwn(steps.all) }
  const wording = withoutLevel(original_wording)
  if (!isInstruction(original_wording)) return groups
  const local = own.startsWith(reader.language) ? undefined : localWording(original_wording, reader)
  const isRepeated = Object.values(steps)
    .flat()
    .some((step) => startsAlike(step, wording))
  if (!local && isRepeated) return groups
  const level = local ? { text: capitalized(local), language: reader.language } : { text: wording, language: own }
  groups[/travel/i.test(wording) ? 'planning' : 'here'].unshift(level)
  return groups
}

/** Translated phrases continue a title: "Niger: do not travel". */
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const startsAlike = (step: string, wording: string) => step.toLowerCase().startsWith(wording.slice(0, -1).toLowerCase())
