import { useEffect, useState } from 'react'
import { useMatches } from 'react-router'
import { onUnreadCount, pollUnreadCount } from './unread-count.ts'

/** Unread count: from the page's loader until a newer one is known. */
export function useUnread(): number {
  const [seen, setSeen] = useState<{ of: unknown; count: number }>()
  // The layout's loader provides the count; revalidated data is newer than an earlier event.
  const loaded = useMatches().find(({ loaderData }) => hasCount(loaderData))?.loaderData
  useEffect(() => pollUnreadCount(), [])
  useEffect(() => onUnreadCount((count) => setSeen({ of: loaded, count })), [loaded])
  if (seen && seen.of === loaded) return seen.count
  return hasCount(loaded) ? loaded.unread : 0
}

const hasCount = (data: unknown): data is { unread: number } =>
  typeof (data as { unread?: unknown } | undefined)?.unread === 'number'
