import * as z from 'zod'
import { ADVISORY_TYPES, NATIONAL_ALERT_LEVELS, SEVERITIES } from './severity.ts'

export const MAX_COUNTRIES = 260
const MAX_LINES = 200

/** Text field whose error messages a form shows verbatim. */
const text = (max: number) =>
  z
    .string('This field is required')
    .trim()
    .max(max, `Must be at most ${max} characters`)
    .refine(
      (value) => !value.includes('\0'),
      'The text contains a character we cannot save. Delete it or type the text again.',
    )

const needed = (max: number) => text(max).min(1, 'This field is required')

/** An ordered list, one line per entry; empty lines are ignored. */
const lines = (maxLines: number, max: number) =>
  z
    .array(text(max))
    .transform((list) => list.filter(Boolean))
    .pipe(z.array(z.string()).max(maxLines, `Must be at most ${maxLines} lines`))
    .default([])

const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal('')], 'Enter a valid date')
  .nullable()
  .default(null)
  .transform((value) => (value ? new Date(value) : null))
  .refine((date) => !date || (date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 2200), 'Enter a valid date')

/** An advisory written by an administrator, on behalf of a source without a feed. */
export const AdvisoryEntry = z
  .strictObject({
    source_id: needed(60).describe('A source whose reader is "manual"'),
    title: needed(300),
    description: needed(2_000),
    detailed_information: text(100_000).default('').describe('HTML, sanitised; plain text becomes paragraphs'),
    severity_level: z
      .enum(SEVERITIES, 'Choose a level')
      .optional()
      .describe('Optional if the national alert level implies it'),
    national_alert_level: z.literal([1, 2, 3, 4], 'Choose a level').nullable().default(null),
    advisory_type: z.enum(ADVISORY_TYPES, 'Choose a type').default('general'),
    countries: lines(MAX_COUNTRIES, 200).describe('Names or ISO codes; empty means worldwide'),
    affected_regions: lines(MAX_LINES, 200),
    affected_cities: lines(MAX_LINES, 200),
    recommendations: lines(MAX_LINES, 1_000).describe('In reading order'),
    original_wording: text(300).default('').describe('Wording of the level by the source'),
    source_url: z
      .union(
        [z.literal(''), z.url({ protocol: /^https?$/ }).max(2_000)],
        'Enter a web address that starts with https://',
      )
      .default(''),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Choose a language')
      .default('en'),
    effective_date: moment,
    expiry_date: moment,
    last_updated: moment.describe('When the source published it; defaults to now'),
    is_urgent: z.boolean().default(false),
    auto_notify: z.boolean().default(false),
  })
  .superRefine((entry, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const { effective_date, expiry_date, national_alert_level, severity_level, original_wording } = entry
    if (effective_date && expiry_date && expiry_date <= effective_date) refuse('expiry_date', 'End must be after start')
    if (!national_alert_level && !severity_level) refuse('severity_level', 'Choose a level')
    if (!national_alert_level && !original_wording) refuse('original_wording', 'This field is required')
    if (national_alert_level && severity_level && NATIONAL_ALERT_LEVELS[national_alert_level] !== severity_level)
      refuse('severity_level', 'The alert level does not match this severity')
  })
export type AdvisoryEntry = z.output<typeof AdvisoryEntry>
export type AdvisoryEntryInput = z.input<typeof AdvisoryEntry>
