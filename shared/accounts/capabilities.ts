import { ACCESS, type Access, mayPass, type Role } from '#shared/roles.ts'

/** A part of the portal, and the rows of the access table that show it and that change it. */
interface Capability {
  key: string
  see: readonly Access[]
  change: readonly Access[]
  /** Only within the places of the role. */
  isScoped: boolean
}

const NAMED = [
  { key: 'people', see: ['verifyAccounts', 'searchAdmin', 'coordinate'], change: ['verifyAccounts'], isScoped: true },
  { key: 'roll_calls', see: ['rollCalls'], change: ['rollCalls'], isScoped: true },
  { key: 'cases', see: ['takeCases'], change: ['takeCases'], isScoped: true },
  { key: 'messages', see: ['composeNotices'], change: ['composeNotices', 'sendMessages'], isScoped: true },
  {
    key: 'churches',
    see: ['careForLocales', 'manageLocales'],
    change: ['careForLocales', 'manageLocales'],
    isScoped: true,
  },
  { key: 'chapters', see: ['readChapters', 'manageChapters'], change: ['manageChapters'], isScoped: true },
  { key: 'advisories', see: ['manageAdvisories'], change: ['manageAdvisories'], isScoped: false },
  { key: 'assistant', see: ['manageAssistant'], change: ['manageAssistant'], isScoped: false },
] as const satisfies readonly Capability[]

const named: ReadonlySet<Access> = new Set(NAMED.flatMap(({ see, change }) => [...see, ...change]))
/** Every row that names roles and belongs to no other area: settings, users, records and whatever is added to them. */
const others = (Object.keys(ACCESS) as Access[]).filter((row) => Array.isArray(ACCESS[row]) && !named.has(row))

export const CAPABILITIES = [...NAMED, { key: 'system', see: others, change: others, isScoped: false }] as const
export type CapabilityKey = (typeof CAPABILITIES)[number]['key']

/** What a role may see and change, read from the access table that endpoints and pages are guarded by. */
export function rightsOf(role: Role): { key: CapabilityKey; see: boolean; change: boolean; isScoped: boolean }[] {
  const may = (rows: readonly Access[]) => rows.some((row) => mayPass(row, role))
  return CAPABILITIES.map(({ key, see, change, isScoped }) => ({ key, see: may(see), change: may(change), isScoped }))
}
