import type { Key } from '#web/lib/i18n.tsx'

export const PAGE_SIZE = 20

/** Filters in the URL of the list. */
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

/** URL of the list on the same page with some filters changed; a changed filter resets to page 1. */
export function addressOf(choice: Choice, changes: Partial<Choice> = {}): string {
  const { isUnreadOnly, type, page } = { ...choice, page: 1, ...changes }
  const params = new URLSearchParams()
  if (isUnreadOnly) params.set('status', 'unread')
  if (type) params.set('type', type)
  if (page > 1) params.set('page', String(page))
  return `?${params}`
}

const TYPES = new Set(['advisory', 'announcement', 'roll_call', 'reminder', 'welcome', 'admin_alert'])

/** Label of a notification type; all account types share one. */
export const typeKey = (type: string) =>
  (TYPES.has(type) ? `type_${type}` : 'type_account') as Key<'notifications'> & `type_${string}`
