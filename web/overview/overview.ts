import type { getOverview } from '#shared/overview/endpoints.ts'
import type { Key } from '#web/lib/i18n.tsx'

type Overview = (typeof getOverview)['~']['output']

export interface OverviewTile {
  key: string
  count: number
  label: Key<'admin'>
  to: string
  /** The short line below, with its numbers. */
  note?: { key: Key<'admin'>; values?: Record<string, string | number> }
  /** Needs attention now. */
  isBad?: boolean
}

interface TileInput
  extends Pick<Overview, 'new_accounts' | 'failed_messages' | 'open_cases' | 'unresolved_names' | 'church_care'> {
  sources: readonly { state: string }[]
}

/** The counts at the top, each linking to the list of as many; none for an empty list. */
export function overviewTiles({
  new_accounts,
  failed_messages,
  open_cases,
  unresolved_names,
  church_care: { messages, corrections, due },
  sources,
}: TileInput): OverviewTile[] {
  const tiles: OverviewTile[] = [
    {
      key: 'open_cases',
      count: open_cases,
      label: 'menu_cases',
      to: '/admin/assistant/cases?status=open',
      note: { key: 'tile_unassigned' },
      isBad: true,
    },
    {
      key: 'new_accounts',
      count: new_accounts.count,
      label: 'tile_new_accounts',
      to: '/admin/users?tab=new',
      note: { key: 'tile_to_verify' },
    },
    {
      key: 'failed_messages',
      count: failed_messages.count,
      label: 'tile_failed_messages',
      to: '/admin/outbox?status=failed',
      note: { key: 'tile_channels', values: channelsOf(failed_messages) },
      isBad: true,
    },
    {
      key: 'church_messages',
      count: messages.count,
      label: 'tile_church_messages',
      to: '/admin/my-churches?tab=messages',
      note: { key: 'tile_unanswered' },
      isBad: true,
    },
    {
      key: 'church_corrections',
      count: corrections.count,
      label: 'tile_church_corrections',
      to: '/admin/my-churches?tab=corrections',
      note: { key: 'tile_undecided' },
    },
    {
      key: 'churches_due',
      count: due,
      label: 'tile_churches_due',
      to: '/admin/my-churches?status=due',
      note: { key: 'tile_to_confirm' },
    },
    {
      key: 'unresolved',
      count: unresolved_names,
      label: 'tile_unresolved',
      to: '/admin/travel-advisories/names',
      note: { key: 'tile_in_sources' },
    },
    {
      key: 'sources',
      count: sources.filter(({ state }) => state === 'not_confirmed').length,
      label: 'tile_sources',
      to: '/admin/travel-advisories/sources',
      note: { key: 'tile_of_sources', values: { total: sources.length } },
    },
  ]
  return tiles.filter(({ count }) => count > 0)
}

const channelsOf = ({ count, email, sms }: Overview['failed_messages']) => ({ email, sms, others: count - email - sms })
