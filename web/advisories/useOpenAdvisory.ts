import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import type { AdvisoryDetailData } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'

interface OpenAdvisory {
  id: string
  /** The card's content until the detail is loaded. */
  card?: AdvisoryCardData
  /** Loaded with the page because the URL names it. */
  data?: AdvisoryDetailData
}

interface Listing {
  cards: readonly AdvisoryCardData[]
  highlighted: AdvisoryDetailData | null
  isHighlightUnknown: boolean
}

const AN_ID = /^[0-9a-f-]{36}$/

/** In the state of a history entry: the list is the entry below it, so that closing goes back. */
const OVER_LIST = { isOverList: true }

/**
 * The advisory open over the list: a history entry of its own, named `highlight` in the router's location and shown in
 * the browser as the address of the advisory's page. Back closes it; a reload opens the page.
 */
export function useOpenAdvisory({ cards, highlighted, isHighlightUnknown }: Listing) {
  const navigate = useNavigate()
  const { search, hash, state, mask } = useLocation()
  const id = new URLSearchParams(search).get('highlight')?.toLowerCase() ?? ''
  const isOverList = isOver(state)
  const isOpen = AN_ID.test(id) && (isOverList || !isHighlightUnknown)

  const toList = { search: withHighlight(search, null), hash }
  const close = () => {
    if (isOverList) navigate(-1)
    else navigate(toList, { replace: true, preventScrollReset: true })
  }
  const select = (card: AdvisoryCardData) =>
    navigate(
      { search: withHighlight(search, card.id), hash },
      { mask: addressOf(card.id), state: OVER_LIST, preventScrollReset: true, defaultShouldRevalidate: false },
    )

  const showAddress = useEffectEvent((named: string) =>
    navigate(
      { search, hash },
      { replace: true, mask: addressOf(named), state, preventScrollReset: true, defaultShouldRevalidate: false },
    ),
  )
  // Opened by a link: from here on the address is that of the advisory.
  useEffect(() => {
    if (isOpen && !mask) showAddress(id)
  }, [isOpen, id, mask])

  return { open: isOpen ? openOf(id, cards, highlighted) : null, select, close }
}

function openOf(id: string, cards: Listing['cards'], highlighted: Listing['highlighted']): OpenAdvisory {
  const card = cards.find((one) => one.id === id)
  return {
    id,
    ...(card && { card }),
    ...(highlighted?.advisory.id === id && { data: highlighted }),
  }
}

const isOver = (state: unknown) => typeof state === 'object' && state !== null && 'isOverList' in state

const addressOf = (id: string) => `${ADVISORIES_PATH}/${id}`

function withHighlight(search: string, id: string | null): string {
  const params = new URLSearchParams(search)
  params.delete('highlight')
  if (id) params.set('highlight', id)
  return params.toString()
}
