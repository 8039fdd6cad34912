import * as z from 'zod'
import { present } from '#shared/assert.ts'
import { type Instruction, SITUATIONS, type Situation } from '#shared/emergency/endpoints.ts'
import { inEachLanguage } from '#shared/language.ts'
import file from './instructions.json' with { type: 'json' }

const MAX_STEPS = 4

/**
 * Hosts of the authorities whose instructions may be shown. An instruction from any other host stops the portal at
 * start, so that no unofficial advice reaches users.
 */
export const AUTHORITY_HOSTS: ReadonlySet<string> = new Set([
  'www.gov.uk',
  'northyorkshire.police.uk',
  'durham.gov.uk',
  '111.wales.nhs.uk',
  'www.england.nhs.uk',
  'travel.state.gov',
  'getprepared.gc.ca',
  'www.mom.gov.sg',
  'pchr.gov.ae',
  'jakartape.dfa.gov.ph',
])

const Text = z.strictObject(inEachLanguage(() => z.string().min(1).max(200)))

const Source = z.strictObject({
  name: z.string().min(1),
  mark: Text,
  url: z
    .url({ protocol: /^https$/ })
    .refine((url) => AUTHORITY_HOSTS.has(URL.parse(url)?.host ?? ''), 'Not a listed authority'),
  checked_on: z.iso.date(),
})

export const InstructionFile = z
  .strictObject({
    sources: z.record(z.string(), Source),
    instructions: z.array(
      z.strictObject({
        situation: z.enum(SITUATIONS),
        /** Null: everywhere. */
        country_code: z
          .string()
          .regex(/^[A-Z]{2}$/)
          .nullable(),
        source: z.string(),
        text: Text,
      }),
    ),
  })
  .refine(
    ({ sources, instructions }) => instructions.every(({ source }) => Object.hasOwn(sources, source)),
    'An instruction has no source',
  )

const { sources, instructions } = InstructionFile.parse(file)

/** Instructions for a situation, with the official page of each step: those of the country first, at most four. */
export function instructionsFor(situation: Situation, country: string | null): Instruction[] {
  const ofSituation = instructions.filter((instruction) => instruction.situation === situation)
  return [
    ...ofSituation.filter(({ country_code }) => country_code !== null && country_code === country),
    ...ofSituation.filter(({ country_code }) => country_code === null),
  ]
    .slice(0, MAX_STEPS)
    .map(({ text, source }) => ({ text, source: present(sources[source], `the source ${source}`) }))
}
