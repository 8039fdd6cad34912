import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import type { AdvisoryDetailData } from './detail.server.ts'

interface OpenAdvisory {
  id: string
  /** The card's content until the detail is loaded. */
  card?: AdvisoryCardData
  /** Loaded with the page because the URL names it. */
  data?: AdvisoryDetailData
}

/** The advisory open over the list. One named in the URL opens at once and is then removed from the URL. */
export function useOpenAdvisory(highlighted: AdvisoryDetailData | null) {
  const [open, setOpen] = useState<OpenAdvisory | null>(highlighted && toOpen(highlighted))
  const [seen, setSeen] = useState(highlighted)
  if (highlighted !== seen) {
    setSeen(highlighted)
    if (highlighted) setOpen(toOpen(highlighted))
  }
  useForgottenHighlight()
  return {
    open,
    select: (card: AdvisoryCardData) => setOpen({ id: card.id, card }),
    close: () => setOpen(null),
  }
}

const toOpen = (data: AdvisoryDetailData): OpenAdvisory => ({ id: data.advisory.id, data })

/** Removes the advisory from the URL once it is open, so that navigating or reloading does not open it again. */
function useForgottenHighlight() {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  const forget = useEffectEvent(() => {
    const params = new URLSearchParams(search)
    params.delete('highlight')
    navigate({ search: params.toString(), hash }, { replace: true, preventScrollReset: true })
  })
  const isNamed = new URLSearchParams(search).has('highlight')
  useEffect(() => {
    if (isNamed) forget()
  }, [isNamed])
}
