import * as z from 'zod'
import { Email } from '#shared/accounts/text.ts'
import { ById, ByToken } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { text } from '#shared/text.ts'
import { Locale } from './endpoints.ts'
import { TEXT_LENGTHS } from './lengths.ts'

const REQUIRED = 'This field is required'

/** Fields for which a visitor may propose a new value; empty means the church has none. */
export const CORRECTABLE = [
  'name',
  'local_name',
  'address_line1',
  'address_line2',
  'local_address',
  'city',
  'state_province',
  'postal_code',
  'phone',
  'email',
  'website',
] as const
export type Correctable = (typeof CORRECTABLE)[number]

export const CORRECTABLE_LENGTH: Record<Correctable, number> = { ...TEXT_LENGTHS, phone: 40, email: 254, website: 500 }

export const CORRECTION_KINDS = ['wrong', 'closed', 'moved', 'other'] as const
export const MESSAGE_KINDS = ['question', 'arrival'] as const

const line = (max: number) => text(max).regex(/^\P{Cc}*$/u, 'Write this on one line')

export const ProposedValues = z.strictObject({
  name: line(CORRECTABLE_LENGTH.name).min(1, REQUIRED).optional(),
  local_name: line(CORRECTABLE_LENGTH.local_name).optional(),
  address_line1: line(CORRECTABLE_LENGTH.address_line1).optional(),
  address_line2: line(CORRECTABLE_LENGTH.address_line2).optional(),
  local_address: line(CORRECTABLE_LENGTH.local_address).optional(),
  city: line(CORRECTABLE_LENGTH.city).optional(),
  state_province: line(CORRECTABLE_LENGTH.state_province).optional(),
  postal_code: line(CORRECTABLE_LENGTH.postal_code).optional(),
  phone: line(CORRECTABLE_LENGTH.phone).optional(),
  email: z.union([z.literal(''), Email], 'Enter a valid email address').optional(),
  website: z
    .union(
      [z.literal(''), z.url({ protocol: /^https?$/ }).max(CORRECTABLE_LENGTH.website)],
      'Enter a web address that starts with https://',
    )
    .optional(),
})
export type ProposedValues = z.infer<typeof ProposedValues>

const Received = z.object({ received: z.literal(true) })
/** Honeypot: hidden from people, who leave it empty. */
const homepage = z.string().max(500).default('')

export const proposeCorrection = endpoint({
  method: 'POST',
  path: '/public/locales/{id}/corrections',
  access: 'anyone',
  status: 201,
  summary: 'Proposes a correction to a locale; someone who looks after it decides, nothing changes automatically',
  params: ById,
  body: z.strictObject({
    kind: z.enum(CORRECTION_KINDS, 'Choose from the list'),
    proposed: ProposedValues.default({}).describe('Fields with their correct values; unchanged ones are ignored'),
    message: text(2000).default(''),
    contact: line(320).default('').describe('Contact for questions about it'),
    language: z.enum(['en', 'ar']).default('en'),
    homepage,
  }),
  response: Received,
})

/** An email address or phone number for the reply. */
const SenderContact = line(254).refine(
  (value) => Email.safeParse(value).success || /^\+?[\d\s()./-]{6,30}$/.test(value),
  'Enter an email address or a phone number',
)

export const writeToLocale = endpoint({
  method: 'POST',
  path: '/public/locales/{id}/messages',
  access: 'anyone',
  status: 201,
  summary: "Sends a message to the servants of a locale, with the sender's contact; theirs is not shown",
  params: ById,
  body: z.strictObject({
    kind: z.enum(MESSAGE_KINDS, 'Choose from the list'),
    sender_name: line(100).min(1, REQUIRED),
    sender_contact: SenderContact,
    arrives_on: z.iso.date('Enter a valid date').nullable().default(null),
    language: line(35).default('').describe('Languages of the sender, as text or tags'),
    message: text(2000).default(''),
    homepage,
  }),
  response: Received,
})

export const getConfirmation = endpoint({
  method: 'GET',
  path: '/public/locale-confirmations/{token}',
  access: 'anyone',
  summary: 'The locale behind the confirmation link of an email, as published',
  params: ByToken,
  response: z.object({ locale: Locale }),
})

export const confirmByLink = endpoint({
  method: 'POST',
  path: '/public/locale-confirmations/{token}',
  access: 'anyone',
  summary: 'Confirms all published details of the locale',
  params: ByToken,
  response: z.object({ confirmed_at: z.string() }),
})
