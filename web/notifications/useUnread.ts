import { useEffect, useState } from 'react'
import { useMatches } from 'react-router'
import { onUnreadCount, pollUnreadCount } from './unread-count.ts'

/** How much is not read: as the page was made with, until something newer is known. */
export function useUnread(): number {
  const [seen, setSeen] = useState<{ of: unknown; count: number }>()
  // The layout's loader gives the count; a new answer of it is newer than what was heard before.
  const loaded = useMatches().find(({ loaderData }) => hasCount(loaderData))?.loaderData
  useEffect(() => pollUnreadCount(), [])
  useEffect(() => onUnreadCount((count) => setSeen({ of: loaded, count })), [loaded])
  if (seen && seen.of === loaded) return seen.count
  return hasCount(loaded) ? loaded.unread : 0
}

const hasCount = (data: unknown): data is { unread: number } =>
  typeof (data as { unread?: unknown } | undefined)?.unread === 'number'
