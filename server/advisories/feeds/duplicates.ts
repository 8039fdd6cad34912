import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { isCountrySet } from '../identity.ts'
import { hasOwnText } from '../own-text.ts'
import type { FeedItem } from './feed.ts'
import { nameInTitle } from './feed.ts'

interface Choice {
  item: FeedItem
  loser: FeedItem
  reason: string
}

/**
 * Which of two entries of one document with the same identity counts. For one place: the newer, on equal dates the more
 * severe, and never a milder one without a text. For two places in one country ("Bonaire", "Saba"): the more severe, so
 * that no place looks safer than its source says.
 */
export function chooseOfTwo(known: FeedItem, item: FeedItem): Choice {
  const [chosen, loser] = isChosen(item, known) ? [item, known] : [known, item]
  const isNewer = isSamePlace(known, item) && chosen.last_updated > loser.last_updated
  const twice = isCountrySet(item.external_id)
    ? 'Another entry here speaks of the same countries'
    : `The id ${item.external_id} stands here twice`
  const reason = `${twice}; the ${isNewer ? 'newer' : 'more serious'} entry was kept`
  return { item: chosen, loser, reason }
}

function isChosen(item: FeedItem, known: FeedItem): boolean {
  const rank = (entry: FeedItem) => SEVERITY_RANK[entry.severity_level]
  const graver = rank(item) - rank(known)
  const newer = item.last_updated.getTime() - known.last_updated.getTime()
  if (!isSamePlace(item, known)) {
    if (graver !== 0) return graver > 0
    // Deterministic, whatever the order of the list.
    return item.title < known.title
  }
  if (newer === 0) return graver > 0
  const [later, earlier] = newer > 0 ? [item, known] : [known, item]
  const isHollow = rank(later) < rank(earlier) && !hasOwnText(later) && hasOwnText(earlier)
  return (isHollow ? earlier : later) === item
}

const isSamePlace = (a: FeedItem, b: FeedItem) => subjectOf(a) === subjectOf(b)
const subjectOf = ({ title }: FeedItem) => nameInTitle(title).trim().toLowerCase()
