import * as z from 'zod'
import { AuditEntry } from '#shared/audit/endpoints.ts'
import { ById, Deleted, instant } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { latitude, latitudeInAddress, longitude, longitudeInAddress, radiusInAddress } from '#shared/coordinates.ts'
import { sortBy, TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { DEFAULT_RADIUS_KM } from './endpoints.ts'
import { Country, line, made_from } from './entry.ts'
import { LanguageTag } from './language-tag.ts'

export const CHAPTER_STATUSES = ['active', 'inactive', 'suspended'] as const
export const COMPLIANCE_STATUSES = ['compliant', 'non_compliant', 'under_review'] as const
/** Larger than any chapter. */
const MAX_MEMBERS = 10_000_000

const nullableText = z.string().nullable()

/** A local chapter (000 §3 l.79). */
export const Chapter = z.object({
  id: z.uuid(),
  chapter_name: z.string(),
  name: z.string().describe('Same as chapter_name'),
  city: nullableText,
  state_province: nullableText,
  country: nullableText.describe('English name'),
  country_code: nullableText,
  full_address: nullableText,
  contact_person: nullableText,
  contact_position: nullableText,
  contact_phone: nullableText,
  contact_email: nullableText,
  chapter_status: z.enum(CHAPTER_STATUSES),
  compliance_status: z.enum(COMPLIANCE_STATUSES),
  membership_count: z.int(),
  active_travelers_count: z.int(),
  facilities: z.array(z.string()),
  special_programs: z.array(z.string()),
  languages_available: z.array(z.string()),
  photos_urls: z.array(z.string()),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  coordinator_id: z.uuid().nullable(),
  coordinator_name: nullableText,
  is_public: z.boolean(),
  created_at: instant,
  updated_at: instant.describe('Send it back as `made_from` with a change'),
})
export type Chapter = z.infer<typeof Chapter>

const CHAPTER_SORTS = ['chapter_name', 'city', 'country_code', 'membership_count', 'updated_at'] as const

export const ChapterQuery = z.strictObject({
  ...TABLE_QUERY,
  search: text(10_000)
    .default('')
    .transform((value) => searchable(value))
    .describe('Searched in name, city and contact person'),
  per_page: z.coerce.number().int().min(1).max(200).default(10),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Same as per_page'),
  sort: sortBy(CHAPTER_SORTS, 'chapter_name'),
  chapter_status: z.enum(CHAPTER_STATUSES).optional(),
  compliance_status: z.enum(COMPLIANCE_STATUSES).optional(),
  country: text(100).optional().describe('ISO code or name'),
  coordinator_id: z.uuid().optional(),
  latitude: latitudeInAddress.optional(),
  longitude: longitudeInAddress.optional(),
  radiusKm: radiusInAddress.default(DEFAULT_RADIUS_KM).describe('Needs a point; nearest first'),
})
export type ChapterQuery = z.output<typeof ChapterQuery>

/** CHAPTERS-09: characters with a meaning in the search syntax become spaces. */
export const searchable = (value: string) =>
  value
    .replace(/[,()%]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)

const list = z.array(text(120).min(1)).max(50).optional()
const count = z
  .int('Enter a whole number, 0 or more')
  .min(0, 'Enter a whole number, 0 or more')
  .max(MAX_MEMBERS, 'Enter a whole number, 0 or more')
  .optional()

const fields = {
  chapter_name: text(200).min(1, 'This field is required').optional(),
  city: line(120),
  state_province: line(120),
  country_code: Country,
  full_address: line(500),
  contact_person: line(200),
  contact_position: line(120),
  contact_phone: line(40),
  contact_email: line(320),
  chapter_status: z.enum(CHAPTER_STATUSES).optional(),
  compliance_status: z.enum(COMPLIANCE_STATUSES).optional(),
  membership_count: count,
  active_travelers_count: count,
  facilities: list,
  special_programs: list,
  languages_available: z.array(LanguageTag).max(30).optional(),
  photos_urls: z
    .array(text(500).regex(/^https?:\/\/[^\s/]/i, 'Enter a web address that starts with https://'))
    .max(20)
    .optional(),
  latitude: latitude.nullable().optional(),
  longitude: longitude.nullable().optional(),
  coordinator_id: z.uuid('Choose a coordinator').nullable().optional(),
  is_public: z.boolean().optional().describe('Visitors can find it by name and city only'),
}
const Fields = z.strictObject(fields)
export type ChapterFields = z.output<typeof Fields>

/** Fields a coordinator may change for chapters in scope; all others require an administrator. */
export const COORDINATOR_FIELDS = [
  'contact_person',
  'contact_position',
  'contact_phone',
  'contact_email',
  'membership_count',
  'active_travelers_count',
] as const satisfies readonly (keyof ChapterFields)[]

const named = <T extends { name?: string | undefined; chapter_name?: string | undefined }>({ name, ...rest }: T) => ({
  ...rest,
  ...(rest.chapter_name === undefined && name !== undefined ? { chapter_name: name } : {}),
})
const name = fields.chapter_name.describe('Same as chapter_name')

const reads = { access: 'readChapters' } as const
const manages = { access: 'manageChapters' } as const
const ChapterResponse = z.object({ chapter: Chapter })

export const listChapters = endpoint({
  ...reads,
  method: 'GET',
  path: '/mfa/chapters',
  summary: 'Local chapters with search, filters and pages; coordinators see those in their scope',
  query: ChapterQuery,
  response: z.object({
    ...TABLE_ANSWER,
    chapters: z.array(Chapter.extend({ distance_km: z.number().nullable() })),
  }),
})

export const getChapter = endpoint({
  ...reads,
  method: 'GET',
  path: '/mfa/chapters/{id}',
  summary: 'One local chapter, or null',
  params: ById,
  response: z.object({
    chapter: Chapter.nullable(),
    members: z.int().describe('Accounts of the chapter that the caller may see'),
    locales: z.int().describe('Churches of the chapter'),
    history: z.array(AuditEntry).describe('History of the chapter; administrators only'),
  }),
})

export const createChapter = endpoint({
  ...manages,
  method: 'POST',
  path: '/mfa/chapters',
  status: 201,
  summary: 'Creates a local chapter',
  body: z
    .strictObject({ ...fields, name })
    .transform(named)
    .refine(({ chapter_name }) => Boolean(chapter_name), { path: ['chapter_name'], error: 'This field is required' }),
  response: ChapterResponse,
})

export const updateChapter = endpoint({
  ...reads,
  method: 'PUT',
  path: '/mfa/chapters/{id}',
  summary: 'Changes the given fields; coordinators can change the contact and numbers of chapters in their scope',
  params: ById,
  body: z.strictObject({ ...fields, name, made_from: made_from.optional() }).transform(named),
  response: ChapterResponse,
})

export const deleteChapter = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/mfa/chapters/{id}',
  summary: 'Deletes a local chapter; its churches and members remain without a chapter',
  params: ById,
  body: z.strictObject({ made_from: made_from.optional(), reason: text(500).default('') }).default({ reason: '' }),
  response: Deleted,
})

export const changeTravelers = endpoint({
  ...reads,
  method: 'POST',
  path: '/mfa/chapters/{id}/travelers',
  summary: 'Changes the number of travellers of a chapter by a difference; never below 0',
  params: ById,
  body: z.strictObject({ change: z.int().min(-100_000).max(100_000) }),
  response: z.object({ active_travelers_count: z.int() }),
})

export const countMfa = endpoint({
  ...reads,
  method: 'GET',
  path: '/mfa/stats',
  summary: 'Counts of locales, chapters and members; coordinators see those of their scope',
  response: z.object({
    stats: z.object({
      chapters: z.int(),
      active_chapters: z.int(),
      inactive_chapters: z.int(),
      suspended_chapters: z.int(),
      non_compliant_chapters: z.int(),
      chapters_under_review: z.int(),
      members: z.int().describe('As counted by the chapters'),
      active_travelers: z.int(),
      countries: z.int(),
      locales: z.int(),
      active_locales: z.int(),
    }),
  }),
})

export const listChapterChoices = endpoint({
  ...reads,
  method: 'GET',
  path: '/mfa/chapters/choices',
  summary: 'All chapters and MFA coordinators by name, for selection',
  response: z.object({
    chapters: z.array(
      z.object({ id: z.uuid(), chapter_name: z.string(), city: nullableText, country_code: nullableText }),
    ),
    coordinators: z.array(z.object({ id: z.uuid(), display_name: z.string() })),
  }),
})
