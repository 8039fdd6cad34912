import { ACCESS, type Access, mayPass, type Role } from '#shared/roles.ts'

/** A part of the portal, with the access-table rows that allow viewing and changing it. */
interface Capability {
  key: string
  see: readonly Access[]
  change: readonly Access[]
  /** Limited to the countries and chapters of the role. */
  isScoped: boolean
}

const NAMED = [
  { key: 'users', see: ['verifyAccounts', 'searchAdmin', 'coordinate'], change: ['verifyAccounts'], isScoped: true },
  { key: 'roll_calls', see: ['rollCalls'], change: ['rollCalls'], isScoped: true },
  { key: 'cases', see: ['takeCases'], change: ['takeCases'], isScoped: true },
  { key: 'messages', see: ['composeAnnouncements'], change: ['composeAnnouncements', 'sendMessages'], isScoped: true },
  {
    key: 'churches',
    see: ['careForLocales', 'manageLocales'],
    change: ['careForLocales', 'manageLocales'],
    isScoped: true,
  },
  { key: 'chapters', see: ['readChapters', 'manageChapters'], change: ['manageChapters'], isScoped: true },
  { key: 'pdos', see: ['readPdosModules', 'managePdosModules'], change: ['managePdosModules'], isScoped: false },
  { key: 'advisories', see: ['manageAdvisories'], change: ['manageAdvisories'], isScoped: false },
  { key: 'faq', see: ['manageFaq'], change: ['manageFaq'], isScoped: false },
  { key: 'assistant', see: ['manageAssistant'], change: ['manageAssistant'], isScoped: false },
] as const satisfies readonly Capability[]

const named: ReadonlySet<Access> = new Set(NAMED.flatMap(({ see, change }) => [...see, ...change]))
/** Rows that name roles and belong to no other capability: settings, users, records and anything added later. */
const others = (Object.keys(ACCESS) as Access[]).filter((row) => Array.isArray(ACCESS[row]) && !named.has(row))

export const CAPABILITIES = [...NAMED, { key: 'system', see: others, change: others, isScoped: false }] as const
export type CapabilityKey = (typeof CAPABILITIES)[number]['key']

/** What a role may see and change, read from the access table that guards endpoints and pages. */
export function rightsOf(role: Role): { key: CapabilityKey; see: boolean; change: boolean; isScoped: boolean }[] {
  const may = (rows: readonly Access[]) => rows.some((row) => mayPass(row, role))
  return CAPABILITIES.map(({ key, see, change, isScoped }) => ({ key, see: may(see), change: may(change), isScoped }))
}
