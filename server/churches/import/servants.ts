import { EMAIL } from '#shared/accounts/text.ts'
import { fold } from '#shared/countries/fold.ts'
import { phoneOf } from './place.ts'

/** A servant from a file. A file never sets what is public: servants consent to that themselves. */
export interface ImportedServant {
  name: string
  /** Null: not in the file. */
  role: string | null
  phone: string | null
  email: string | null
}

const MAX_SERVANTS = 40
const LONGEST = { name: 200, role: 60, phone: 40, email: 320 }

/**
 * Parses the servants of one cell: 'Ben Reyes, local_servant, +63 917 555 0101, ben@example.org | Ana Cruz'. The name
 * comes first; number and address are recognised by their form, and the rest is the role. Undefined when a part is not
 * understood.
 * @param country two-letter code, for national numbers
 */
export function readServants(text: string, country: string | null): ImportedServant[] | undefined {
  const servants = text
    .split(/[|;]/)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => readServant(entry, country))
  const names = new Set(servants.map((servant) => servant && fold(servant.name)))
  if (servants.length === 0 || servants.length > MAX_SERVANTS || names.size < servants.length) return undefined
  return servants.every((servant) => servant !== undefined) ? servants : undefined
}

function readServant(entry: string, country: string | null): ImportedServant | undefined {
  const cells = entry.split(',').map((cell) => cell.trim())
  const take = (isIt: (cell: string) => boolean) => {
    const at = cells.findIndex((cell, i) => i > 0 && isIt(cell))
    return at > 0 ? (cells.splice(at, 1)[0] ?? null) : null
  }
  const email = take((cell) => EMAIL.test(cell))
  const number = take((cell) => /^\+?[\d\s().-]{6,}$/.test(cell))
  const [name = '', role = '', ...more] = cells.filter((cell, i) => i === 0 || cell !== '')
  if (!/\p{L}/u.test(name) || more.length > 0 || role.includes('@') || name.includes('@')) return undefined
  const servant = {
    name,
    role: role || null,
    phone: number === null ? null : dialled(phoneOf(number, country).value ?? number),
    email,
  }
  return Object.entries(LONGEST).every(([key, max]) => (servant[key as keyof typeof LONGEST]?.length ?? 0) <= max)
    ? servant
    : undefined
}

/** Servants' numbers as stored: in E.164 where the country is known. */
const dialled = (number: string) => (number.startsWith('+') ? number.replace(/[^\d+]/g, '') : number)

/** Serialises servants so that readServants returns the same ones. */
export function writeServants(servants: readonly Pick<ImportedServant, 'name' | 'role' | 'phone' | 'email'>[]): string {
  const cell = (text: string) =>
    text
      .replace(/[,|;]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return servants
    .map(({ name, role, phone, email }) => [name, role, phone, email].map((text) => cell(text ?? '')).join(', '))
    .map((line) => line.replace(/(, )+$/, ''))
    .join(' | ')
}
