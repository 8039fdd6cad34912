import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'
import { importContract } from '#shared/imports/contract.ts'
import { MISSING_WORDS } from '#shared/imports/limits.ts'
import { text } from '#shared/text.ts'
import { IMPORT_FIELDS, NEW_LOCALES } from './import-fields.ts'

const ImportOptions = z.strictObject({
  missing_words: z
    .array(text(40).pipe(z.string().min(1)))
    .max(20, 'Give at most 20 words.')
    .default([...MISSING_WORDS])
    .describe('Cell values that mean unknown; an empty cell always does'),
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Give the two-letter ISO code.')
    .nullable()
    .default(null)
    .describe('For rows without a country'),
  title_case_cities: z.boolean().default(false).describe("'PRAIRIE GROVE' becomes 'Prairie Grove'"),
  clears_empty: z.boolean().default(false).describe('An empty cell clears the field of an updated locale'),
  new_locales: z
    .enum(NEW_LOCALES)
    .default('unpublished')
    .describe('What to do with new locales if the file does not say whether they are public'),
})

/** Imports of locales. */
export const localeImports = importContract({
  path: '/locale-imports',
  access: 'manageLocales',
  record: 'locale',
  fields: IMPORT_FIELDS,
  errors: ['no_name', 'country_unknown', 'out_of_range', 'not_a_number', 'name_too_long'],
  warnings: [
    'zero_point',
    'half_point',
    'phone_unverified',
    'no_country',
    'country_differs',
    'point_elsewhere',
    'keeps_id',
  ],
  refusals: ['would_loosen'],
  settings: {
    id_prefix: text(40).default('').describe('Prefix for the ids of the file, so that two files cannot clash'),
    options: ImportOptions.prefault({}),
  },
  counts: {
    published: z.int().describe('New locales: published immediately as not confirmed; the others stay unpublished'),
    services: z.int().describe('Services of the new and changed locales'),
    servants: z.int().describe('Servants of the new and changed locales'),
  },
  duplicate: {
    distance_km: z.number().nullable(),
    why: z.enum(['name_and_place', 'near']).describe('near: within 200 m, with a similar name'),
  },
  detail: {
    unpublished: z.int().describe('New locales of a committed import that are unpublished and unedited'),
  },
  nouns: { records: 'locales', existing: 'a church' },
})

const { schemas } = localeImports
export const ImportMapping = schemas.Mapping
export type ImportMapping = z.output<typeof ImportMapping>
export type LocaleSettings = z.output<typeof schemas.Settings>
export type LocaleImport = z.infer<typeof schemas.Import>
export type LocaleImportDetail = z.infer<typeof schemas.Detail>
export type LocaleImportRow = z.infer<typeof schemas.Row>

export const publishLocaleImport = endpoint({
  access: 'manageLocales',
  method: 'POST',
  path: '/locale-imports/{id}/publish',
  summary: 'Publishes the new locales of an import that are unpublished and unedited',
  params: z.strictObject({ id: z.uuid('The id of an import is a UUID') }),
  body: z.strictObject({ count: z.int().min(1).describe('Number of locales the user saw') }),
  response: z.object({ published: z.int() }),
})
