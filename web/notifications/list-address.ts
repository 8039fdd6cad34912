import type { Key } from '#web/lib/i18n.tsx'

export const PAGE_SIZE = 20
export const HERE = '/notifications'

/** What the address of the list asks for. */
export interface Choice {
  isUnreadOnly: boolean
  type: string
  page: number
}

export function readChoice(params: URLSearchParams): Choice {
  const page = /^[1-9]\d{0,3}$/.exec(params.get('page') ?? '')
  return {
    isUnreadOnly: params.get('status') === 'unread',
    type: (params.get('type') ?? '').trim().slice(0, 60),
    page: page ? Number(page[0]) : 1,
  }
}

/** The address of the list with something chosen otherwise; another choice begins on the first page. */
export function addressOf(choice: Choice, changes: Partial<Choice> = {}): string {
  const { isUnreadOnly, type, page } = { ...choice, page: 1, ...changes }
  const params = new URLSearchParams()
  if (isUnreadOnly) params.set('status', 'unread')
  if (type) params.set('type', type)
  if (page > 1) params.set('page', String(page))
  const query = params.toString()
  return query ? `${HERE}?${query}` : HERE
}

const TYPES = new Set(['advisory', 'notice', 'roll_call', 'reminder', 'welcome', 'admin_alert'])

/** What a kind of notification is called; all that is told of the own account is one. */
export const typeKey = (type: string) =>
  (TYPES.has(type) ? `type_${type}` : 'type_account') as Key<'notifications'> & `type_${string}`
